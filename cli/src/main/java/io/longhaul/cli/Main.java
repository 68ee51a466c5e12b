package io.longhaul.cli;

import io.longhaul.cli.terminal.ErrorStream;
import io.longhaul.cli.terminal.Screen;
import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The entry of the command {@code longhaul}, and the only class that touches the process.
 *
 * <p>A signal starts the shutdown hook: it tells the command to stop, waits until it has, and ends the process with the
 * command's own exit code, which an ordinary exit on a signal would not have.
 */
public final class Main {
    private static final int THREADS = 4;

    /** How long a command may take to stop; everything that was acknowledged is on disk already. */
    private static final long PATIENCE_SECONDS = 30;

    private Main() {}

    /** Runs one command and exits with its code. */
    public static void main(String[] arguments) {
        HeadStart.begin(arguments);
        StopSignal stop = new StopSignal();
        CountDownLatch ended = new CountDownLatch(1);
        AtomicInteger exit = new AtomicInteger(ExitCodes.INTERRUPTED);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(stop, ended, exit), "cli-shutdown"));
        try {
            exit.set(new Invocation(environment(stop), arguments).run());
        } finally {
            ended.countDown();
        }
        // After a signal the hook ends the process; a second exit would only wait for it.
        if (!stop.isRequested()) {
            System.exit(exit.get());
        }
    }

    private static void end(StopSignal stop, CountDownLatch ended, AtomicInteger exit) {
        if (ended.getCount() == 0) {
            return;
        }
        stop.request();
        try {
            if (!ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("longhaul: not stopped within " + PATIENCE_SECONDS + " s; ended as it is");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        System.out.flush();
        System.err.flush();
        Runtime.getRuntime().halt(exit.get());
    }

    private static Environment environment(StopSignal stop) {
        PrintStream out = new PrintStream(
                new ResultStream(new FileOutputStream(FileDescriptor.out)), false, StandardCharsets.UTF_8);
        ErrorStream err = new ErrorStream(new FileOutputStream(FileDescriptor.err));
        System.setErr(err);
        AtomicInteger number = new AtomicInteger();
        ScheduledThreadPoolExecutor threads = new ScheduledThreadPoolExecutor(THREADS, task -> {
            Thread thread = new Thread(task, "cli-worker-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        Map<String, String> variables = System.getenv();
        return new Environment(
                new Environment.Streams(System.in, out, err),
                variables,
                System::nanoTime,
                new CachedScreen(() -> Screen.ofStandardError(variables), System::nanoTime),
                Main::typed,
                stop,
                threads);
    }

    /** The end of what is typed is an empty answer. */
    @SuppressWarnings("SystemConsoleNull") // java.options say that Java 22 and newer go on with that
    private static Optional<String> typed(String question) {
        Console terminal = System.console();
        if (terminal == null) {
            return Optional.empty();
        }
        char[] answer = terminal.readPassword("%s", question);
        return Optional.of(answer == null ? "" : String.valueOf(answer));
    }
}
