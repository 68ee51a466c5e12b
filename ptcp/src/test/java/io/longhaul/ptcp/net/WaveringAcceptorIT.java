package io.longhaul.ptcp.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.frame.Answer;
import io.longhaul.ptcp.frame.Greeting;
import io.longhaul.ptcp.frame.Secret;
import io.longhaul.ptcp.frame.SessionId;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** An acceptor that would like one stream, and sixteen, and one, as often as it is given some. */
final class WaveringAcceptorIT {
    private static final int STREAMS = 5;
    private static final int MANY = 16;
    private static final int KIND_AT = 6;
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(2);
    private final Random random = new Random(1);
    private final SessionId id = SessionId.random(random);
    private final Secret secret = Secret.random(random);
    private final AtomicInteger joined = new AtomicInteger();
    private final List<Socket> kept = new CopyOnWriteArrayList<>();

    private void serve(ServerSocket acceptor) {
        try {
            while (true) {
                Socket socket = acceptor.accept();
                kept.add(socket);
                ByteBuf greeting =
                        Unpooled.wrappedBuffer(socket.getInputStream().readNBytes(Greeting.BYTES));
                boolean opens = greeting.getByte(KIND_AT) == 1;
                int number = opens ? MANY : Greeting.read(greeting).number();
                ByteBuf answer = Unpooled.buffer(Answer.BYTES);
                new Answer(1, id, number, 65_536, 1 << 20, secret).write(answer);
                socket.getOutputStream().write(answer.array());
                if (!opens) {
                    joined.incrementAndGet();
                    kept.get(0).getOutputStream().write(Stranger.frame(STREAMS, 0, 1));
                    kept.get(0).getOutputStream().write(Stranger.frame(STREAMS, 0, MANY));
                }
            }
        } catch (IOException e) {
            if (!acceptor.isClosed()) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void shouldNotDialWithoutEndWhenTheOtherEndKeepsChangingItsMind() throws Exception {
        // given
        try (ServerSocket acceptor = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
                PtcpClient client = PtcpClient.launch("test-client", 1)) {
            CompletableFuture.runAsync(() -> serve(acceptor));
            long startNs = System.nanoTime();

            // when
            client.open(
                    PtcpClient.Target.plain("127.0.0.1", acceptor.getLocalPort()),
                    PtcpConfig.defaults(),
                    session -> new Deaf());
            Patience.await().until(() -> joined.get() >= MANY);
            Patience.await().pollDelay(LONG_ENOUGH).until(() -> true);

            // then
            long found = joined.get();
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs);
            assertThat(found).isLessThanOrEqualTo(MANY * 3 * (seconds + 1));
        }
        for (Socket socket : kept) {
            socket.close();
        }
    }
}
