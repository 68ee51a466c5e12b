package io.longhaul.ptcp.perf;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.net.PtcpClient;
import java.util.concurrent.CompletableFuture;

/** Opens tests; owns the threads that they run on. Thread-safe. */
public final class PerfClient implements AutoCloseable {
    private final PtcpClient client;
    private final PerfMachine machine;
    private final TestBytes testBytes = new TestBytes();

    private PerfClient(PtcpClient client, PerfMachine machine) {
        this.client = client;
        this.machine = machine;
    }

    /** Returns a client whose tests run on a number of threads. */
    public static PerfClient launch(PerfMachine machine, int threads) {
        return new PerfClient(PtcpClient.launch("ptcp-perf-client", threads), machine);
    }

    /**
     * Begins a test; the future is done once the first stream stands, and fails with a
     * {@link io.longhaul.ptcp.PtcpException}.
     */
    public CompletableFuture<PerfTest> open(PtcpClient.Target target, PtcpConfig config, PerfOrder order) {
        CompletableFuture<PerfTest> made = new CompletableFuture<>();
        return client.open(target, config, session -> {
                    Conversation conversation = new Conversation(session, machine, testBytes, order);
                    made.complete(new PerfTest(session, conversation));
                    return conversation;
                })
                .thenCompose(session -> made);
    }

    /** Ends the threads, and tests that still run. */
    @Override
    public void close() {
        client.close();
        testBytes.close();
    }
}
