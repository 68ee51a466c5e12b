package io.longhaul.cli;

import io.longhaul.cli.terminal.ErrorStream;
import io.longhaul.cli.terminal.Screen;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/** An environment whose output can be read and whose home is a directory of the test. */
final class TestEnvironment implements AutoCloseable {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final ScheduledThreadPoolExecutor threads = new ScheduledThreadPoolExecutor(4);
    private final StopSignal stop = new StopSignal();
    private final Queue<String> typed = new ArrayDeque<>();
    private final Environment environment;

    TestEnvironment(Path home, String input, Map<String, String> variables) {
        this(home, input, variables, Optional.empty());
    }

    /** Writes standard output to the stream given instead. */
    TestEnvironment(Path home, OutputStream standardOutput) {
        this(home, "", Map.of(), Optional.of(standardOutput));
    }

    private TestEnvironment(
            Path home, String input, Map<String, String> variables, Optional<OutputStream> standardOutput) {
        this.environment = new Environment(
                new Environment.Streams(
                        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                        new PrintStream(standardOutput.orElse(out), true, StandardCharsets.UTF_8),
                        new ErrorStream(err)),
                withHome(variables, home),
                System::nanoTime,
                Screen::none,
                question -> Optional.ofNullable(typed.poll()),
                stop,
                threads);
    }

    TestEnvironment(Path home) {
        this(home, "", Map.of());
    }

    private static Map<String, String> withHome(Map<String, String> variables, Path home) {
        Map<String, String> all = new HashMap<>(variables);
        all.put("XDG_STATE_HOME", home.toString());
        return all;
    }

    Environment environment() {
        return environment;
    }

    /** Puts somebody at a terminal who answers questions for secrets with these, one after the other. */
    TestEnvironment typing(String... secrets) {
        typed.addAll(List.of(secrets));
        return this;
    }

    StopSignal stop() {
        return stop;
    }

    int run(String... arguments) {
        return new Invocation(environment, arguments).run();
    }

    List<String> out() {
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    List<String> err() {
        return err.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
