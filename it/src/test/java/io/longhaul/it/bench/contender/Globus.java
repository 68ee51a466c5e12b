package io.longhaul.it.bench.contender;

import io.longhaul.it.testbed.Child;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** globus-url-copy to a globus-gridftp-server, anonymous, in clear. */
public final class Globus extends Command {
    private final List<String> options;
    private int port;
    private Path into;

    /** Takes options of the client, such as {@code -p 4}. */
    public Globus(String... options) {
        this.options = List.of(options);
    }

    @Override
    public List<String> programs() {
        return List.of("globus-url-copy", "globus-gridftp-server");
    }

    @Override
    void serve(Stage where, Path directory) {
        into = directory;
        port = server(where);
    }

    /** Starts a server; returns its port. */
    static int server(Stage where, String... more) {
        int port = where.testbed().freePort();
        serverAt(where, port, more);
        return port;
    }

    /** Starts a server at a port. */
    static Child serverAt(Stage where, int port, String... more) {
        return serverAt(where, Ground.loopback(), 0, port, more);
    }

    /** Starts a server of a receiver. */
    static Child serverAt(Stage where, Ground ground, int receiver, int port, String... more) {
        String address = ground.address(receiver);
        List<String> command = new ArrayList<>(List.of("globus-gridftp-server", "-c", "/dev/null", "-aa"));
        command.addAll(List.of("-control-interface", address, "-data-interface", address));
        command.addAll(List.of("-p", Integer.toString(port)));
        command.addAll(List.of(more));
        if (System.getProperty("user.name").equals("root")) {
            // nobody else may serve as root
            command.addAll(List.of("-anonymous-user", "nobody"));
        }
        Child child = ground.start(where, receiver, "gridftp-server", command);
        ground.awaitPort(where, receiver, port);
        return child;
    }

    @Override
    List<String> client(Path source, boolean tree) {
        String end = tree ? "/" : "";
        List<String> command = words("globus-url-copy", tree ? new String[] {"-r", "-cd"} : new String[0]);
        command.addAll(options);
        command.add("file://" + source + end);
        command.add("ftp://127.0.0.1:" + port + into.resolve(source.getFileName()) + end);
        return command;
    }
}
