package io.longhaul.it.testbed;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionTimeoutException;

/** A running process of a test, with what it printed. */
public final class Child {
    /** For what takes a second on a calm machine. */
    public static final Duration PATIENCE = Duration.ofSeconds(90);

    private static final Duration POLL = Duration.ofMillis(10);
    private static final Pattern PROGRESS = Pattern.compile(".+: +(\\d+|\\?)%, .*");

    private final String label;
    private final Process process;
    private final OutputFile output;
    private final OutputFile errors;
    private final long startedNanos;

    private Child(String label, Process process, Path directory, long startedNanos) {
        this.label = label;
        this.process = process;
        this.startedNanos = startedNanos;
        this.output = OutputFile.of(directory.resolve(label + ".out"), process.getInputStream());
        this.errors = OutputFile.of(directory.resolve(label + ".err"), process.getErrorStream());
    }

    static Child start(String label, ProcessBuilder command, Path directory) throws IOException {
        long startedNanos = System.nanoTime();
        return new Child(label, command.start(), directory, startedNanos);
    }

    public String label() {
        return label;
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Returns when it was started, on the clock of {@link System#nanoTime}. */
    public long startedNanos() {
        return startedNanos;
    }

    /** Returns everything printed to standard output so far. */
    public List<OutputLine> output() {
        return output.lines();
    }

    /** Returns everything printed to standard error so far. */
    public List<OutputLine> errors() {
        return errors.lines();
    }

    /** Returns what it had to say on standard error so far: no blank lines, and none of progress, which come with time. */
    public List<String> messages() {
        return errors().stream()
                .map(OutputLine::text)
                .filter(line -> !line.isBlank() && !PROGRESS.matcher(line).matches())
                .toList();
    }

    /** Returns the lines of one event so far. */
    public List<OutputLine> events(String event) {
        return output().stream().filter(line -> line.isOf(event)).toList();
    }

    /** Waits for the line that says that it serves. */
    public Child awaitReady() {
        awaitEvent("ready");
        return this;
    }

    /** Waits for the first line of an event. */
    public OutputLine awaitEvent(String event) {
        return awaitEvents(event, 1, PATIENCE).get(0);
    }

    /** Waits for that many lines of an event. */
    public List<OutputLine> awaitEvents(String event, int count, Duration patience) {
        awaitUntil(
                count + " line(s) of event " + event,
                patience,
                () -> events(event).size() >= count);
        return events(event);
    }

    /** Waits for a line on standard output that begins like this. */
    public void awaitOutput(String beginning) {
        awaitUntil(
                "line " + beginning,
                PATIENCE,
                () -> output().stream().anyMatch(line -> line.text().startsWith(beginning)));
    }

    /** Waits for a line on standard error. */
    public OutputLine awaitError(Predicate<String> wanted, String description) {
        awaitUntil(description, PATIENCE, () -> firstError(wanted).isPresent());
        return firstError(wanted).orElseThrow();
    }

    private Optional<OutputLine> firstError(Predicate<String> wanted) {
        return errors().stream().filter(line -> wanted.test(line.text())).findFirst();
    }

    private void awaitUntil(String what, Duration patience, BooleanSupplier condition) {
        try {
            await().pollInterval(POLL).atMost(patience).until(() -> condition.getAsBoolean() || isOver());
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(label + ": no " + what + " within " + patience + '\n' + story(), e);
        }
        if (!condition.getAsBoolean()) {
            throw new AssertionError(
                    label + ": ended with " + process.exitValue() + " before " + what + '\n' + story());
        }
    }

    private boolean isOver() throws InterruptedException {
        if (process.isAlive()) {
            return false;
        }
        output.join();
        errors.join();
        return true;
    }

    /** Waits for the end; returns false when it still runs after that time. */
    public boolean awaitEnd(Duration patience) {
        try {
            return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(label + ": interrupted while waiting for its end", e);
        }
    }

    /** Waits for the end and returns the exit code. */
    public int awaitExit(Duration patience) {
        if (!awaitEnd(patience)) {
            throw new AssertionError(label + ": still runs after " + patience + '\n' + story());
        }
        try {
            isOver();
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(label + ": interrupted while waiting for its end", e);
        }
    }

    /** Waits for the end, which must come with the given exit code. */
    public Child expectExit(int code) {
        int found = awaitExit(PATIENCE);
        if (found != code) {
            throw new AssertionError(label + ": exit code " + found + ", expected " + code + '\n' + story());
        }
        return this;
    }

    /** Ends it with SIGKILL and waits until it is gone. */
    public void kill() {
        process.destroyForcibly();
        awaitExit(PATIENCE);
    }

    /** Asks it to end with SIGTERM. */
    public void terminate() {
        process.destroy();
    }

    /** Stops it with SIGSTOP. */
    public void pause() {
        signal("STOP");
    }

    /** Lets it run on with SIGCONT. */
    public void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start().waitFor();
        } catch (IOException e) {
            throw new AssertionError(label + ": cannot send SIG" + name + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(label + ": interrupted while sending SIG" + name, e);
        }
    }

    /** Returns a value of /proc/PID/status in bytes, such as VmRSS or VmHWM; 0 when it is over. */
    public long memory(String key) {
        try {
            return Files.readAllLines(Path.of("/proc", Long.toString(pid()), "status")).stream()
                    .filter(line -> line.startsWith(key + ":"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }

    /** Returns the processor time that it has had, in seconds; 0 when it is over. */
    public double cpuSeconds() {
        return process.info()
                .totalCpuDuration()
                .map(time -> time.toNanos() / 1e9)
                .orElse(0.0);
    }

    /** Returns what the Java machine says of its memory outside of the heap; needs -XX:NativeMemoryTracking=summary. */
    public String nativeMemory() {
        try {
            Process jcmd = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                    .toString(),
                            Long.toString(pid()),
                            "VM.native_memory",
                            "summary")
                    .start();
            String text = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return text.lines()
                    .filter(line ->
                            line.startsWith("Total") || line.contains("Other (") || line.contains("Java Heap ("))
                    .map(String::strip)
                    .collect(Collectors.joining("; "));
        } catch (IOException e) {
            return "unknown (" + e.getMessage() + ")";
        }
    }

    /** Returns the end of what it printed, for messages. */
    public String story() {
        return "  " + output.tail(12) + "\n  " + errors.tail(25);
    }
}
