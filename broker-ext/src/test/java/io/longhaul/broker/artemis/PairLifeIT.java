package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.broker.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.impl.ServiceRegistryImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server does and has when it tells that it begins to live. */
class PairLifeIT {
    private static final long BOUND = 4_000_000_000_000L * 1024;

    @TempDir
    Path data;

    private final List<String> seen = new ArrayList<>();

    /** Who publishes at that moment must not get a number below those that the lost primary gave. */
    @Test
    void shouldKnowTheOrderBeforeAnybodyCanConnect() throws Exception {
        // given
        ActiveMQServer before = BareServer.start(BareServer.in(data));
        new OrderNote(before).write(BOUND);
        before.stop();
        int port = FreePort.find();
        ActiveMQServer server = new ForcedServer(
                BareServer.in(data).addAcceptorConfiguration("core", "tcp://127.0.0.1:" + port),
                null,
                new ServiceRegistryImpl());
        OrderNote note = new OrderNote(server);
        OrderClock order = OrderClock.open(data, Clock.systemUTC(), note::write);
        server.registerActivateCallback(new PairLife(
                task -> seen.add("later"),
                () -> {
                    order.succeed(note.read());
                    seen.add("listens: " + listens(port));
                },
                () -> seen.add("begin"),
                () -> seen.add("end")));

        // when
        server.start();

        // then
        try {
            assertThat(listens(port)).isTrue();
            assertThat(seen).containsExactly("listens: false", "later");
            assertThat(order.next()).isGreaterThan(BOUND);
            assertThat(note.read()).as("what the next one goes on above").isGreaterThan(BOUND + 1);
        } finally {
            server.stop();
        }
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }
}
