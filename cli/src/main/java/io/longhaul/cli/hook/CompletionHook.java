package io.longhaul.cli.hook;

import io.longhaul.agent.Delivered;
import io.longhaul.wire.Names;
import io.longhaul.wire.TransferId;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs the operator's program for a delivered transfer and waits for it, at most as long as allowed.
 *
 * <p>The transfer counts as told of only after this has returned; after a crash in between it runs again for the same
 * transfer: at least once. A failure is reported and not retried: the file is in place whatever the program thinks.
 * The program gets no input; its standard output is discarded, because that of this process belongs to the results;
 * its standard error is that of this process.
 */
public final class CompletionHook {
    private final HookCommand command;
    private final Duration limit;
    private final Consumer<String> notices;

    public CompletionHook(HookCommand command, Duration limit, Consumer<String> notices) {
        this.command = command;
        this.limit = limit;
        this.notices = notices;
    }

    /** Runs the program; returns whether it ended with 0 in time. */
    public boolean run(Delivered delivered) {
        Map<String, String> values = values(delivered);
        ProcessBuilder builder = new ProcessBuilder(command.arguments(values));
        values.forEach((key, value) -> builder.environment().put("LONGHAUL_" + key.toUpperCase(Locale.ROOT), value));
        withoutSecrets(builder.environment());
        builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        return finished(builder, delivered.receipt().transfer());
    }

    /** Takes this program's passwords out of the environment: those at the broker, of links and of a proxy. */
    static void withoutSecrets(Map<String, String> environment) {
        environment.keySet().removeIf(key -> key.startsWith("LONGHAUL_") && key.endsWith("PASSWORD"));
    }

    private boolean finished(ProcessBuilder builder, TransferId transfer) {
        String what = "completion hook " + Names.shown(command.words().get(0)) + " for transfer " + transfer;
        try {
            Process process = builder.start();
            if (!waited(process)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                notices.accept(what + ": stopped after " + limit.toSeconds() + " s");
                return false;
            }
            if (process.exitValue() != 0) {
                notices.accept(what + ": ended with exit code " + process.exitValue());
            }
            return process.exitValue() == 0;
        } catch (IOException e) {
            notices.accept(what + ": could not be started: " + e.getMessage());
            return false;
        }
    }

    private boolean waited(Process process) {
        try {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static Map<String, String> values(Delivered delivered) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("path", delivered.path().toString());
        values.put("name", delivered.receipt().path());
        values.put("digest", delivered.receipt().digest());
        values.put("transfer", delivered.receipt().transfer().toString());
        values.put("topic", delivered.receipt().topic());
        values.put("bytes", Long.toString(delivered.receipt().length()));
        return values;
    }
}
