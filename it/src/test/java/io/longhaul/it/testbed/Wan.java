package io.longhaul.it.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.opentest4j.TestAbortedException;

/** An emulated long fat network of two sites, a and b, or of more, as {@code it/wan/wan} makes it; a is the hub. */
public final class Wan implements AutoCloseable {
    public static final String ADDRESS_A = "10.210.0.1";
    public static final String ADDRESS_B = "10.210.0.2";

    /** Which word of a line of {@code wan status} tells bytes. */
    private static final int BYTES = 7;

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
    public static Wan up(Path command, String name, Link link, int seed, String... more) {
        Wan wan = new Wan(command, name);
        wan.run("down");
        List<String> arguments = new ArrayList<>(List.of("up", "--rtt", link.rtt(), "--loss", link.loss()));
        arguments.addAll(List.of("--rate", link.rate(), "--seed", Integer.toString(seed)));
        arguments.addAll(List.of(more));
        wan.run(arguments.toArray(String[]::new));
        return wan;
    }

    /**
     * Brings it up until the testbed closes; skips the test, loudly, where that is not possible.
     *
     * @param more options of the emulator, such as {@code --sites 3}
     */
    public static Wan orSkip(Testbed testbed, Link link, int seed, String... more) {
        Path command = Path.of("wan", "wan").toAbsolutePath();
        String name = "it-" + ProcessHandle.current().pid();
        try {
            Wan wan = up(command, name, link, seed, more);
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

    /**
     * Returns the command that runs another one at a site, where names of sites lead to them, and no server is asked for other
     * names: none can be reached.
     */
    public List<String> resolvingAt(Testbed testbed, String site, List<String> inner) {
        StringBuilder hosts = new StringBuilder("127.0.0.1 localhost\n");
        for (char each = 'a'; each <= 'z'; each++) {
            String name = Character.toString(each);
            hosts.append(address(name)).append(' ').append(name).append('\n');
        }
        try {
            String machine =
                    Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
            hosts.append(address(site)).append(' ').append(machine).append('\n');
            Path known = Files.writeString(testbed.file("hosts-" + site), hosts);
            Path none = Files.writeString(testbed.file("resolv.conf"), "");
            List<String> outer = new ArrayList<>(List.of(
                    "sh",
                    "-c",
                    "mount --bind " + known + " /etc/hosts && mount --bind " + none
                            + " /etc/resolv.conf && exec \"$@\"",
                    "resolving"));
            outer.addAll(inner);
            return at(site, outer);
        } catch (IOException e) {
            throw new UncheckedIOException("names of site " + site + " cannot be written", e);
        }
    }

    /** Returns what the command needs in its environment. */
    public Map<String, String> environment() {
        return Map.of("WAN_NAME", name);
    }

    /** Returns a site's address. */
    public static String address(String site) {
        return "10.210.0." + (site.charAt(0) - 'a' + 1);
    }

    /** Loses everything that is sent, until {@link #heal}; nobody is told. */
    public void cut() {
        run("cut");
    }

    /** Loses everything that one site sends or is sent, until {@link #heal}. */
    public void cut(String site) {
        run("cut", site);
    }

    public void heal() {
        run("heal");
    }

    /** Returns what has left the queues of a site's link, both directions together: bytes of IP packets. */
    public long carriedBytes(String site) {
        return run("status")
                .lines()
                .map(line -> line.trim().split(" +"))
                .filter(words -> words[0].equals(site) && words.length > BYTES)
                .mapToLong(words -> Long.parseLong(words[BYTES]))
                .sum();
    }

    private String run(String... arguments) {
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
            return said;
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
