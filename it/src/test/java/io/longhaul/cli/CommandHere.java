package io.longhaul.cli;

import io.longhaul.cli.terminal.ErrorStream;
import io.longhaul.cli.terminal.Screen;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** Runs commands in this process, for what a test asks beside what it tests: a process costs a second of a processor. */
public final class CommandHere {
    private static final int THREADS = 4;

    private CommandHere() {}

    /**
     * What a command ended with.
     *
     * @param code its exit code
     * @param output the lines of its standard output
     * @param errors the lines of its standard error
     */
    public record Ended(int code, List<String> output, List<String> errors) {}

    /** Runs one to its end, with nothing on its standard input. */
    public static Ended run(Map<String, String> variables, List<String> arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        ScheduledExecutorService threads = Executors.newScheduledThreadPool(THREADS);
        try {
            Environment environment = new Environment(
                    new Environment.Streams(InputStream.nullInputStream(), printer(out), new ErrorStream(err)),
                    variables,
                    System::nanoTime,
                    Screen::none,
                    question -> Optional.empty(),
                    new StopSignal(),
                    threads);
            int code = new Invocation(environment, arguments.toArray(String[]::new)).run();
            return new Ended(code, lines(out), lines(err));
        } finally {
            threads.shutdownNow();
        }
    }

    private static PrintStream printer(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private static List<String> lines(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
