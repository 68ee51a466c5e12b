package io.longhaul.ptcp.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.ptcp.PtcpException;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Peers that have a session and do not keep to the protocol in it. */
class HostileMembersIT {
    private static final int MANY = 1000;
    private static final int TIMES = 50;
    private static final int DATA = 1;
    private static final int PING = 2;
    private static final int ACK = 4;
    private static final int CLOSE = 8;
    private static final int ABORT = 9;
    private static final int NONE = 0xee;
    private static final Greeting OPEN = Greeting.open(4, 65_536, 32 << 20);

    private static Stranger join(Site site, Answer answer, int number) throws IOException {
        Stranger data = Stranger.connect(site.port());
        data.send(Greeting.further(Greeting.Kind.JOIN, answer.session(), number, answer.secret()))
                .answer();
        return data;
    }

    /** What another test did within this second may have kept the line back. */
    private static boolean isTold(Site site, String part) {
        return site.lines().stream()
                .anyMatch(line ->
                        line.kind().contains("DataChannel") && line.text().contains(part));
    }

    private static void leaveGaps(Stranger data, int gaps) {
        try {
            for (int i = 0; i < gaps; i += 1000) {
                ByteBuffer packets = ByteBuffer.allocate(1000 * 17);
                for (int j = 0; j < 1000; j++) {
                    packets.put(Stranger.frame(DATA, 1, 2L * (i + j) + 1, (byte) 0));
                }
                data.send(packets.array());
            }
        } catch (IOException e) {
            // closed while still writing
        }
    }

    private static byte[] garbage(String kind) {
        return switch (kind) {
            case "type" -> Stranger.frame(NONE, 0, 0);
            case "length" -> Stranger.frame(ABORT, Integer.MAX_VALUE, 0);
            case "negative" -> Stranger.frame(ACK, -1, 0);
            case "position" -> Stranger.frame(CLOSE, 0, -1);
            case "packet" -> Stranger.frame(DATA, 1, 0, (byte) 0);
            default -> Stranger.frame(ACK, 8, Long.MAX_VALUE, new byte[8]);
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"type", "length", "negative", "position", "packet", "acknowledgement"})
    void shouldAbortOnlyThatSessionWhenItsControlChannelIsGarbage(String kind) throws Exception {
        // given
        try (Site site = new Site(MANY)) {
            for (int i = 0; i < TIMES; i++) {
                try (Stranger control = Stranger.connect(site.port())) {
                    control.send(OPEN).answer();

                    // when
                    control.send(garbage(kind));

                    // then
                    assertThat(control.rest()).containsAnyOf("a frame", "a packet", "an acknowledgement");
                } catch (AssertionError e) {
                    throw new AssertionError("garbage of " + kind, e);
                }
            }
            site.assertUnharmed();
        }
    }

    /** If it closed its socket at once, what still comes would reset the connection before its reason was read. */
    @Test
    void shouldReadOnWhenItHasSaidWhyItAborts() throws Exception {
        // given
        try (Site site = new Site(MANY);
                Stranger control = Stranger.connect(site.port())) {
            control.send(OPEN).answer();
            control.send(garbage("type"));
            assertThat(control.rest()).contains("a frame");

            // when then
            for (int i = 0; i < 10; i++) {
                control.send(Stranger.frame(PING, 0, i));
            }
            control.leave();
            site.assertUnharmed();
        }
    }

    /** Its acknowledgement, which is planned then, must not close the socket either. */
    @Test
    void shouldReadOnWhenItAbortsRightAfterItReceivedSomething() throws Exception {
        // given
        try (Site site = new Site(MANY);
                Stranger control = Stranger.connect(site.port())) {
            Answer answer = control.send(OPEN).answer();
            byte[] packet = Stranger.frame(DATA, 5, 0, Stranger.text("hello"));
            try (Stranger data = join(site, answer, 1)) {
                data.send(packet).read(packet.length);
                control.send(garbage("type"));
                assertThat(control.rest()).contains("a frame");
            }

            // when then
            for (int i = 0; i < 3; i++) {
                Patience.await().pollDelay(Duration.ofMillis(20)).until(() -> true);
                control.send(Stranger.frame(PING, 0, i));
            }
            control.leave();
            site.assertUnharmed();
        }
    }

    @Test
    void shouldCloseOnlyThatStreamWhenADataChannelIsGarbage() throws Exception {
        // given
        try (Site site = new Site(MANY);
                Stranger control = Stranger.connect(site.port())) {
            Answer answer = control.send(OPEN).answer();
            Stranger good = join(site, answer, 1);

            // when
            for (int i = 0; i < TIMES || !isTold(site, "closed: a frame"); i++) {
                try (Stranger bad = join(site, answer, 2 + i)) {
                    bad.send(Stranger.frame(i % 2 == 0 ? NONE : ACK, 0, i));
                    bad.rest();
                }
            }

            // then
            byte[] packet = Stranger.frame(DATA, 5, 0, Stranger.text("hello"));
            assertThat(good.send(packet).read(packet.length)).isEqualTo(packet);
            good.close();
            control.abort();
            site.assertUnharmed();
        }
    }

    @Test
    void shouldReplaceTheStreamWhenSomebodyPutsGarbageIntoIt() throws Exception {
        // given
        try (Recorder recorder = new Recorder();
                Site site = new Site(MANY, recorder::to)) {
            // when
            for (int i = 1; i <= 5 || !isTold(site, "closed: a frame"); i++) {
                site.neighbour().pause();
                int lost = i;
                recorder.lines().get(i).inject(Stranger.frame(NONE, 0, 0));
                site.neighbour().goOn();

                // then
                Patience.await().until(() -> recorder.lines().size() >= 3 + lost);
                Patience.await()
                        .until(() ->
                                site.neighbour().session().snapshot().streams().size() == 2);
                site.neighbour().assertUnharmed();
                assertThat(site.neighbour().session().snapshot().streamsLost()).isEqualTo(i);
            }
            site.assertUnharmed();
        }
    }

    @Test
    void shouldFailWithTheReasonWhenTheAcceptorSendsGarbageAfterItsAnswer() throws Exception {
        // given
        ByteBuf answer = Unpooled.buffer();
        Random random = new Random(1);
        new Answer(1, SessionId.random(random), 2, 65_536, 1 << 20, Secret.random(random)).write(answer);
        answer.writeBytes(Stranger.frame(NONE, 0, 0));
        ServerSocket acceptor = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        try (Site site = new Site(MANY)) {
            Thread answering = new Thread(() -> {
                try (acceptor;
                        Socket socket = acceptor.accept()) {
                    socket.getInputStream().readNBytes(Greeting.BYTES);
                    socket.getOutputStream().write(answer.array(), 0, answer.readableBytes());
                    socket.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
                } catch (IOException e) {
                    // reset by who had garbage
                }
            });
            answering.start();

            // when then
            assertThatThrownBy(() -> site.open(acceptor.getLocalPort()).get(Patience.SECONDS, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .hasMessageContaining("a frame of unknown type 238")
                    .isInstanceOfSatisfying(
                            PtcpException.class, e -> assertThat(e.code()).isEqualTo(PtcpException.Code.PROTOCOL));
            answering.join();
            site.assertUnharmed();
        }
    }

    /** Asks for signs of life as fast as it can, and reads none. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldKeepFewAnswersWhenNobodyReadsThem(boolean onControl) throws Exception {
        // given
        ByteBuffer questions = ByteBuffer.allocate(64 * 1024);
        while (questions.hasRemaining()) {
            questions.put(Stranger.frame(PING, 0, 1));
        }
        try (Site site = new Site(MANY);
                Stranger control = Stranger.connect(site.port())) {
            Answer answer = control.send(OPEN).answer();
            try (Stranger data = join(site, answer, 1)) {
                // when
                Stranger asking = onControl ? control : data;
                try {
                    for (int i = 0; i < 150; i++) {
                        asking.send(questions.array());
                    }
                } catch (IOException e) {
                    // had enough of it
                }

                // then
                site.costs().assertMemoryWithin(48);
            }
            if (onControl) {
                control.leave();
            } else {
                control.abort();
            }
            site.assertUnharmed();
        }
    }

    @Test
    void shouldCloseTheStreamWhenItsPacketsLeaveTooManyGaps() throws Exception {
        // given
        try (Site site = new Site(MANY);
                Stranger control = Stranger.connect(site.port())) {
            Answer answer = control.send(OPEN).answer();

            // when
            for (int number = 1; !isTold(site, "gaps between"); number++) {
                try (Stranger data = join(site, answer, number)) {
                    leaveGaps(data, 200_000);
                    data.rest();
                }
            }

            // then
            site.costs().assertMemoryWithin(48);
            control.abort();
            site.assertUnharmed();
        }
    }

    @Test
    void shouldHoldLittleWhenSessionsOfNobodyLeaveAGap() throws Exception {
        // given
        byte[] body = new byte[65_536];
        try (Site site = new Site(MANY, port -> port, true)) {
            List<Stranger> crowd = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                Stranger control = Stranger.connect(site.port());
                Stranger data = join(site, control.send(OPEN).answer(), 1);
                crowd.addAll(List.of(control, data));

                // when
                try {
                    for (int j = 0; j < 64; j++) {
                        data.send(Stranger.frame(DATA, body.length, 1 + (long) j * body.length, body));
                    }
                } catch (IOException e) {
                    // closed while still writing
                }

                // then
                assertThat(data.rest()).isEmpty();
            }
            site.costs().assertMemoryWithin(48);
            for (Stranger one : crowd) {
                one.leave();
            }
            site.assertUnharmed();
        }
    }
}
