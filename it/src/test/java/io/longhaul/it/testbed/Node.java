package io.longhaul.it.testbed;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * One invocation of longhaul that can be ended and started again with the same arguments, and the directory with all
 * that it keeps.
 */
public final class Node {
    private final Testbed testbed;
    private final String label;
    private final Path home;
    private final List<String> arguments;
    private final List<String> machine = new ArrayList<>();
    private UnaryOperator<List<String>> place = command -> command;
    private final Map<String, String> environment = new TreeMap<>();
    private final List<Child> children = new ArrayList<>();

    Node(Testbed testbed, String label, Path home, List<String> arguments) {
        this.testbed = testbed;
        this.label = label;
        this.home = home;
        this.arguments = new ArrayList<>(arguments);
    }

    /** Adds arguments of the command. */
    public Node with(String... more) {
        arguments.addAll(List.of(more));
        return this;
    }

    /** Adds options of the Java machine. */
    public Node withMachine(String... options) {
        machine.addAll(List.of(options));
        return this;
    }

    /**
     * Has it run elsewhere, such as at a site of an emulated network: by a command made of its own, or of the one that was
     * made of it before.
     */
    public Node at(UnaryOperator<List<String>> where) {
        UnaryOperator<List<String>> inner = place;
        place = command -> where.apply(inner.apply(command));
        return this;
    }

    /** Sets a variable of the environment; an empty value removes it. */
    public Node withVariable(String name, String value) {
        environment.put(name, value);
        environment.values().removeIf(String::isEmpty);
        return this;
    }

    public String label() {
        return label;
    }

    /** Returns the directory that holds everything of this node that must survive. */
    public Path home() {
        return home;
    }

    /** Returns its {@code --data}. */
    public Path data() {
        return home.resolve("data");
    }

    /** Returns its {@code --into}. */
    public Path into() {
        return home.resolve("into");
    }

    /** Starts it. */
    public Child start() {
        Child child = testbed.start(label, place.apply(JavaCommand.of(machine, arguments)), environment);
        children.add(child);
        return child;
    }

    /** Starts it and waits until it serves. */
    public Child startReady() {
        return start().awaitReady();
    }

    /** Returns the process started last. */
    public Child child() {
        return children.get(children.size() - 1);
    }

    /** Returns all its processes so far, oldest first. */
    public List<Child> children() {
        return List.copyOf(children);
    }

    /** Ends it with SIGKILL. */
    public Node kill() {
        child().kill();
        return this;
    }

    /** Returns the lines of one event that all its processes printed. */
    public List<OutputLine> events(String event) {
        return children.stream().flatMap(child -> child.events(event).stream()).toList();
    }
}
