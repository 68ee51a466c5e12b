package io.longhaul.it.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.opentest4j.TestAbortedException;

/** An emulated long fat network of two sites, a and b, as {@code it/wan/wan} makes it. */
public final class Wan implements AutoCloseable {
    public static final String ADDRESS_A = "10.210.0.1";
    public static final String ADDRESS_B = "10.210.0.2";

    private final Path command;
    private final String name;

    /**
     * A link between the sites, in the emulator's units.
     *
     * @param rtt round trip, such as {@code 50ms}
     * @param loss lost packets, such as {@code 0.01%}
     * @param rate such as {@code 1000mbit}
     */
    public record Link(String rtt, String loss, String rate) {
        /** Reads {@code RTT:LOSS}. */
        public static Link of(String text, String rate) {
            String[] parts = text.split(":", 2);
            return new Link(parts[0], parts[1], rate);
        }
    }

    private Wan(Path command, String name) {
        this.command = command;
        this.name = name;
    }

    /** Brings it up; the seed fixes which packets are lost. */
    public static Wan up(Path command, String name, Link link, int seed) {
        Wan wan = new Wan(command, name);
        wan.run("down");
        wan.run(
                "up",
                "--rtt",
                link.rtt(),
                "--loss",
                link.loss(),
                "--rate",
                link.rate(),
                "--seed",
                Integer.toString(seed));
        return wan;
    }

    /** Brings it up until the testbed closes; skips the test, loudly, where that is not possible. */
    public static Wan orSkip(Testbed testbed, Link link, int seed) {
        Path command = Path.of("wan", "wan").toAbsolutePath();
        String name = "it-" + ProcessHandle.current().pid();
        try {
            Wan wan = up(command, name, link, seed);
            testbed.atClose(wan::close);
            return wan;
        } catch (AssertionError e) {
            System.err.println("NOT TESTED: long fat networks; " + e.getMessage());
            throw new TestAbortedException("no emulated network: " + e.getMessage(), e);
        }
    }

    /** Returns the command that runs another one at a site. */
    public List<String> at(String site, List<String> inner) {
        List<String> outer = new ArrayList<>(List.of(command.toString(), "exec", site));
        outer.addAll(inner);
        return outer;
    }

    /** Returns what the command needs in its environment. */
    public Map<String, String> environment() {
        return Map.of("WAN_NAME", name);
    }

    /** Loses everything that is sent, until {@link #heal}; nobody is told. */
    public void cut() {
        run("cut");
    }

    public void heal() {
        run("heal");
    }

    private void run(String... arguments) {
        List<String> line = new ArrayList<>(List.of(command.toString()));
        line.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
        builder.environment().putAll(environment());
        try {
            Process process = builder.start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(30, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new AssertionError(String.join(" ", line) + ": " + said);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(command + ": cannot be run", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    @Override
    public void close() {
        run("down");
    }
}
