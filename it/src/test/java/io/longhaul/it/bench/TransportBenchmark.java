package io.longhaul.it.bench;

import io.longhaul.it.bench.measure.Figures;
import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.ptcp.artemis.PtcpConnectorFactory;
import io.longhaul.ptcp.artemis.PtcpParameters;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyConnectorFactory;
import org.apache.activemq.artemis.core.remoting.impl.netty.TransportConstants;

/**
 * Parallel TCP beside Artemis's own transport on loopback: one broker that listens for both, durable messages of 1 MiB.
 *
 * <p>Arguments: work directory, rounds, messages in a round. The table goes to standard output.
 */
public final class TransportBenchmark {
    private static final int SOCKET_BUFFER = 1024 * 1024;
    private static final double MEBIBYTES_IN_GIBIBYTE = 1024;
    private static final double MEGABYTES_IN_MEBIBYTE = 1.048576;
    private static final String PLAIN = "Artemis Netty, one connection";

    /** What was measured of one transport. */
    private record Column(TransportConfiguration transport, Figures rate, Figures cpu, Figures ratio) {
        static Column of(TransportConfiguration transport) {
            return new Column(transport, new Figures(), new Figures(), new Figures());
        }
    }

    private final int messages;
    private final Child broker;

    private TransportBenchmark(int messages, Child broker) {
        this.messages = messages;
        this.broker = broker;
    }

    public static void main(String[] arguments) throws Exception {
        int rounds = Integer.parseInt(arguments[1]);
        int messages = Integer.parseInt(arguments[2]);
        try (Testbed testbed = Testbed.open(Path.of(arguments[0]).resolve("transports"))) {
            int corePort = testbed.freePort();
            Network network = Network.of(testbed, "--listen-core", "127.0.0.1:" + corePort);
            Child broker = network.broker().withMachine("-Xmx2g").startReady();
            int port = Integer.parseInt(network.address().split(":")[1]);
            Map<String, Column> columns = new LinkedHashMap<>();
            columns.put(PLAIN, Column.of(plain(corePort)));
            columns.put("parallel TCP, 1 stream", Column.of(parallel(port, 1)));
            columns.put("parallel TCP, 4 streams", Column.of(parallel(port, 4)));
            columns.put("parallel TCP, auto", Column.of(parallel(port, 0)));
            new TransportBenchmark(messages, broker).run(rounds, columns);
        }
    }

    private void run(int rounds, Map<String, Column> columns) throws Exception {
        List<String> order = new ArrayList<>(columns.keySet());
        // Round 0 is for the compilers of both Java machines, and not counted.
        for (int round = 0; round <= rounds; round++) {
            Map<String, Double> rates = new LinkedHashMap<>();
            for (String name : order) {
                double cpuBefore = cpuSeconds();
                double seconds = MessageRace.run(columns.get(name).transport(), messages);
                double cpu = (cpuSeconds() - cpuBefore) * MEBIBYTES_IN_GIBIBYTE / messages;
                double rate = messages * MEGABYTES_IN_MEBIBYTE / seconds;
                rates.put(name, rate);
                System.err.printf(Locale.ROOT, "round %d, %s: %.0f MB/s, %.2f CPU s/GiB%n", round, name, rate, cpu);
                if (round > 0) {
                    columns.get(name).rate().add(rate);
                    columns.get(name).cpu().add(cpu);
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

    private double cpuSeconds() {
        return cpuSeconds(ProcessHandle.current())
                + cpuSeconds(ProcessHandle.of(broker.pid()).orElseThrow());
    }

    private static double cpuSeconds(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1e3;
    }

    private static TransportConfiguration plain(int port) {
        return new TransportConfiguration(
                NettyConnectorFactory.class.getName(),
                Map.of(
                        TransportConstants.HOST_PROP_NAME,
                        "127.0.0.1",
                        TransportConstants.PORT_PROP_NAME,
                        port,
                        TransportConstants.TCP_SENDBUFFER_SIZE_PROPNAME,
                        SOCKET_BUFFER,
                        TransportConstants.TCP_RECEIVEBUFFER_SIZE_PROPNAME,
                        SOCKET_BUFFER));
    }

    private static TransportConfiguration parallel(int port, int streams) {
        PtcpParameters parameters = new PtcpParameters("127.0.0.1", port, streams, false, "", "", true, "");
        return new TransportConfiguration(PtcpConnectorFactory.class.getName(), parameters.map());
    }
}
