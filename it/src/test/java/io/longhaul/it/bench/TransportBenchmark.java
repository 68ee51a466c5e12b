package io.longhaul.it.bench;

import io.longhaul.it.bench.measure.Figures;
import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Testbed;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Parallel TCP beside Artemis's own transport on loopback, in turn, durable messages of 1 MiB: for each a broker and a client
 * that carry nothing else, as they would.
 *
 * <p>Arguments: work directory, rounds, messages in a round. The table goes to standard output.
 */
public final class TransportBenchmark {
    private static final double MEBIBYTES_IN_GIBIBYTE = 1024;
    private static final double MEGABYTES_IN_MEBIBYTE = 1.048576;
    private static final String PLAIN = "Artemis Netty, one connection";

    /** For the compilers of all Java machines, and not counted. */
    private static final int WARM_UP = 4;

    /** What is measured of one transport. */
    private record Column(Child broker, RacingClient client, Figures rate, Figures cpu, Figures ratio) {
        static Column of(Testbed testbed, String transport, int messages) {
            int corePort = testbed.freePort();
            String label = "broker-" + transport;
            Network network = Network.site(testbed, label);
            Child broker = network.broker()
                    .with("--listen-core", "127.0.0.1:" + corePort)
                    .withMachine("-Xmx2g")
                    .startReady();
            int port = transport.equals(RacingClient.PLAIN)
                    ? corePort
                    : Integer.parseInt(network.address().split(":")[1]);
            RacingClient client = RacingClient.start(transport, port, messages);
            return new Column(broker, client, new Figures(), new Figures(), new Figures());
        }

        double cpuSeconds() {
            return seconds(client.process())
                    + seconds(ProcessHandle.of(broker.pid()).orElseThrow());
        }

        private static double seconds(ProcessHandle process) {
            return process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1e3;
        }
    }

    private final int messages;
    private final Map<String, Column> columns = new LinkedHashMap<>();

    private TransportBenchmark(int messages) {
        this.messages = messages;
    }

    public static void main(String[] arguments) throws Exception {
        int rounds = Integer.parseInt(arguments[1]);
        TransportBenchmark benchmark = new TransportBenchmark(Integer.parseInt(arguments[2]));
        try (Testbed testbed = Testbed.open(Path.of(arguments[0]).resolve("transports"))) {
            Map<String, String> transports = new LinkedHashMap<>();
            transports.put(PLAIN, RacingClient.PLAIN);
            transports.put("parallel TCP, 1 stream", "1");
            transports.put("parallel TCP, 4 streams", "4");
            transports.put("parallel TCP, auto", "0");
            transports.forEach((name, own) -> benchmark.columns.put(name, Column.of(testbed, own, benchmark.messages)));
            benchmark.run(rounds);
        } finally {
            benchmark.columns.values().forEach(column -> column.client().close());
        }
    }

    private void run(int rounds) {
        List<String> order = new ArrayList<>(columns.keySet());
        for (int round = 1 - WARM_UP; round <= rounds; round++) {
            Map<String, Double> rates = new LinkedHashMap<>();
            for (String name : order) {
                Column column = columns.get(name);
                double cpuBefore = column.cpuSeconds();
                double seconds = column.client().race();
                double cpu = (column.cpuSeconds() - cpuBefore) * MEBIBYTES_IN_GIBIBYTE / messages;
                double rate = messages * MEGABYTES_IN_MEBIBYTE / seconds;
                rates.put(name, rate);
                System.err.printf(Locale.ROOT, "round %d, %s: %.0f MB/s, %.2f CPU s/GiB%n", round, name, rate, cpu);
                if (round > 0) {
                    column.rate().add(rate);
                    column.cpu().add(cpu);
                }
            }
            if (round > 0) {
                double plain = rates.get(PLAIN);
                rates.forEach((name, rate) -> columns.get(name).ratio().add(rate / plain));
            }
            // What the disk still has to do for the one before must not always meet the same one.
            Collections.rotate(order, 1);
        }
        System.out.println("| transport | MB/s | ratio | CPU seconds per GiB, client and broker |");
        System.out.println("|---|---|---|---|");
        columns.forEach((name, column) -> System.out.println("| " + name + " | "
                + column.rate().shown(0) + " | " + column.ratio().shown(2) + " | "
                + column.cpu().shown(2) + " |"));
    }
}
