package io.longhaul.broker.witness;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.net.PtcpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Executor;

/** A witness that is nothing else. */
public final class WitnessServer {
    private WitnessServer() {}

    /** Launches one that keeps its book in a directory, on a free port of loopback; its answers go out on an executor. */
    public static PtcpServer launch(Path data, WitnessDoor.Rights rights, Executor answers) throws IOException {
        WitnessDesk desk = new WitnessDesk(WitnessBook.open(data), user -> true, System::nanoTime);
        WitnessDoor door = new WitnessDoor(desk, rights, answers, Runnable::run, (kind, line) -> {});
        return PtcpServer.launch(
                new PtcpServer.Settings(
                        "witness",
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        Optional.empty(),
                        1,
                        100,
                        (kind, line) -> {}),
                PtcpConfig.defaults(),
                door::accept);
    }
}
