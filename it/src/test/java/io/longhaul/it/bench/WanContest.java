package io.longhaul.it.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.OutputLine;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TwoSites;
import io.longhaul.it.testbed.Wan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** What is measured from site a to site b of an emulated network, one after the other. */
final class WanContest {
    private static final Duration SPARE = Duration.ofSeconds(60);
    private static final double GIB = 1L << 30;
    private static final double MEGA = 1e6;
    private static final String PORT = ":7450";
    private static final int IPERF_PORT = 5201;
    private static final int GLOBUS_PORT = 2811;
    private static final List<String> GLOBUS_SERVER = List.of(
            "/usr/sbin/globus-gridftp-server",
            "-c",
            "/dev/null",
            "-aa",
            "-anonymous-user",
            "nobody",
            "-control-interface",
            Wan.ADDRESS_B,
            "-data-interface",
            Wan.ADDRESS_B,
            "-p",
            Integer.toString(GLOBUS_PORT));
    private static final String TOPIC = "bench";

    private final Testbed testbed;
    private final Wan wan;
    private final int seconds;

    /**
     * What one measurement brought.
     *
     * @param megabits per second, of payload that arrived
     * @param cpuSeconds of both ends per GiB; not a number where it was not measured
     */
    record Sample(double megabits, double cpuSeconds) {}

    WanContest(Testbed testbed, Wan wan, int seconds) {
        this.testbed = testbed;
        this.wan = wan;
        this.seconds = seconds;
    }

    Sample iperf(String streams) {
        return iperfResult(startIperf(streams, IPERF_PORT));
    }

    /** Returns what a single plain flow has of a link that it shares with the streams of another one. */
    Sample flowBeside(boolean ours, String streams) {
        Child other = ours ? startPerf(streams) : startIperf(streams, IPERF_PORT);
        Sample flow = iperfResult(startIperf("1", IPERF_PORT + 1));
        other.awaitExit(Duration.ofSeconds(seconds).plus(SPARE));
        return flow;
    }

    private Child startIperf(String streams, int port) {
        String at = Integer.toString(port);
        Child server = testbed.start(
                "iperf-server",
                wan.at("b", List.of("iperf3", "-s", "-1", "-p", at, "--forceflush")),
                wan.environment());
        server.awaitOutput("Server listening");
        List<String> command =
                List.of("iperf3", "-J", "-c", Wan.ADDRESS_B, "-p", at, "-P", streams, "-t", Integer.toString(seconds));
        return testbed.start("iperf-client", wan.at("a", command), wan.environment());
    }

    private Sample iperfResult(Child client) {
        client.awaitExit(Duration.ofSeconds(seconds).plus(SPARE));
        JsonNode end = json(client.output()).path("end");
        double bits = end.path("sum_received").path("bits_per_second").asDouble();
        double received = end.path("sum_received").path("bytes").asDouble();
        JsonNode busy = end.path("cpu_utilization_percent");
        double percent =
                busy.path("host_total").asDouble() + busy.path("remote_total").asDouble();
        return new Sample(bits / MEGA, percent / 100 * seconds * GIB / received);
    }

    private static JsonNode json(List<OutputLine> lines) {
        try {
            return new ObjectMapper()
                    .readTree(lines.stream().map(OutputLine::text).collect(Collectors.joining("\n")));
        } catch (JsonProcessingException e) {
            throw new AssertionError("iperf3 printed no JSON: " + lines, e);
        }
    }

    private Child startPerf(String streams) {
        TwoSites sites = new TwoSites(testbed, wan);
        sites.node("perf-server", "b", "ptcp-perf", "server", "--listen", Wan.ADDRESS_B + PORT)
                .startReady();
        return sites.node("perf-client", "a", "ptcp-perf", "client", Wan.ADDRESS_B + PORT)
                .with("--streams", streams, "--seconds", Integer.toString(seconds))
                .start();
    }

    Sample perf(String streams) {
        Child client = startPerf(streams);
        client.awaitExit(Duration.ofSeconds(seconds).plus(SPARE));
        OutputLine result = client.awaitEvent("result");
        JsonNode cpu = result.json().path("cpuSeconds");
        double cpuSeconds = cpu.path("client").asDouble() + cpu.path("server").asDouble();
        return new Sample(result.number("bitsPerSecond") / MEGA, cpuSeconds * GIB / result.number("bytes"));
    }

    /**
     * A file of zeros that globus-url-copy brings to /dev/null, as long as the link is said to carry in the time; the clock
     * runs while the client does, login included.
     */
    Sample globus(String streams, double expectedMegabits) {
        Child server = testbed.start("gridftp-server", wan.resolvingAt(testbed, "b", GLOBUS_SERVER), wan.environment());
        long bytes = (long) (expectedMegabits * MEGA / 8 * seconds);
        Path source = TestFile.sparse(testbed.file("zeros"), 1, bytes, 1, 1);
        // its port answers when it serves; until then the client is refused and tries again
        List<String> client = List.of(
                "bash",
                "-c",
                "until (exec 3<>/dev/tcp/" + Wan.ADDRESS_B + "/" + GLOBUS_PORT + ") 2>/dev/null; do :; done");
        testbed.start("await", wan.at("a", client), wan.environment()).expectExit(0);
        List<String> copy = List.of(
                "globus-url-copy",
                "-p",
                streams,
                "file://" + source,
                "ftp://" + Wan.ADDRESS_B + ":" + GLOBUS_PORT + "/dev/null");
        Child running = testbed.start("globus-url-copy", wan.resolvingAt(testbed, "a", copy), wan.environment());
        if (running.awaitExit(Duration.ofSeconds(20L * seconds).plus(SPARE)) != 0) {
            throw new AssertionError(running.label() + " failed\n" + running.story() + server.story());
        }
        double took = (System.nanoTime() - running.startedNanos()) / 1e9;
        server.kill();
        return new Sample(bytes * 8 / took / MEGA, Double.NaN);
    }

    /** A file from a publisher at a to a subscriber at b, through a broker at b; from its announcement to its place. */
    Sample publish(Path source) {
        TwoSites sites = new TwoSites(testbed, wan);
        sites.broker().withMachine("-Xmx2g").startReady();
        Node subscriber = sites.subscriber(TOPIC, "--count", "1").withMachine("-Xmx512m");
        subscriber.startReady();
        sites.publisher(source, TOPIC).withMachine("-Xmx512m").start();
        OutputLine delivered = subscriber
                .child()
                .awaitEvents("delivered", 1, Duration.ofSeconds(20L * seconds).plus(SPARE))
                .get(0);
        double took = delivered.json().path("seconds").asDouble();
        String name = source.getFileName().toString();
        if (!TestFile.digest(subscriber.into().resolve(name)).equals(TestFile.digest(source))) {
            throw new AssertionError(name + ": arrived with other bytes");
        }
        return new Sample(delivered.number("bytes") * 8 / took / MEGA, Double.NaN);
    }
}
