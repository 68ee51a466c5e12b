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
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An acceptor, or what stands before it, that says yes to a channel and ends it at once, every time. */
final class HastyAcceptorIT {
    private static final int KIND_AT = 6;
    private static final int SESSION_AT = 8;
    private static final int NUMBER_AT = 24;
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(2);
    private static final long LEAST_PAUSE_MILLIS = 40;

    private final Random random = new Random(1);
    private final Secret secret = Secret.random(random);
    private final AtomicInteger hurried = new AtomicInteger();
    private final List<Socket> kept = new CopyOnWriteArrayList<>();

    /** Ends channels of one kind, and the first control channel when that is to be resumed. */
    private void serve(ServerSocket acceptor, Greeting.Kind hasty) {
        try {
            while (true) {
                Socket socket = acceptor.accept();
                byte[] greeting = socket.getInputStream().readNBytes(Greeting.BYTES);
                boolean opens = greeting[KIND_AT] == 1;
                boolean joins = greeting[KIND_AT] == 2;
                ByteBuffer found = ByteBuffer.wrap(greeting);
                ByteBuf answer = Unpooled.buffer(Answer.BYTES);
                new Answer(
                                1,
                                opens ? SessionId.random(random) : id(found),
                                opens ? 1 : found.getInt(NUMBER_AT),
                                65_536,
                                1 << 20,
                                secret)
                        .write(answer);
                socket.getOutputStream().write(answer.array());
                boolean ends = hasty == Greeting.Kind.JOIN ? joins : !joins && !opens;
                if (ends) {
                    hurried.incrementAndGet();
                    socket.close();
                } else {
                    kept.add(socket);
                }
                if (hasty == Greeting.Kind.RESUME && joins) {
                    kept.get(0).close();
                }
            }
        } catch (IOException e) {
            if (!acceptor.isClosed()) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static SessionId id(ByteBuffer greeting) {
        return new SessionId(greeting.getLong(SESSION_AT), greeting.getLong(SESSION_AT + Long.BYTES));
    }

    private static long millisSince(long startNs) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
    }

    @ParameterizedTest
    @EnumSource(
            value = Greeting.Kind.class,
            names = {"JOIN", "RESUME"})
    void shouldDialInPausesWhenChannelsEndAsSoonAsTheyStand(Greeting.Kind hasty) throws Exception {
        // given
        try (ServerSocket acceptor = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
                PtcpClient client = PtcpClient.launch("test-client", 1)) {
            CompletableFuture.runAsync(() -> serve(acceptor, hasty));
            long startNs = System.nanoTime();

            // when
            client.open(
                    PtcpClient.Target.plain("127.0.0.1", acceptor.getLocalPort()),
                    PtcpConfig.defaults().withStreams(1),
                    session -> new Deaf());
            Patience.await().until(() -> hurried.get() > 1);
            Patience.await().pollDelay(LONG_ENOUGH).until(() -> true);

            // then
            long found = hurried.get();
            assertThat(found).isLessThan(millisSince(startNs) / LEAST_PAUSE_MILLIS);
        }
        for (Socket socket : kept) {
            socket.close();
        }
    }
}
