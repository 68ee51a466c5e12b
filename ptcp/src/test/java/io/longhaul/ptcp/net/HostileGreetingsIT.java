package io.longhaul.ptcp.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.frame.Answer;
import io.longhaul.ptcp.frame.Greeting;
import io.longhaul.ptcp.frame.Secret;
import io.longhaul.ptcp.frame.SessionId;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Greetings that are well-formed and wrong: of other versions, forged, or heard before. */
class HostileGreetingsIT {
    private static final int MANY = 1000;
    private static final int TIMES = 100;

    private static Greeting open(int newest, int oldest, int packetBytes) {
        return new Greeting(
                newest, oldest, Greeting.Kind.OPEN, 0, SessionId.NONE, 2, packetBytes, 1 << 20, new byte[Secret.BYTES]);
    }

    private static void assertRefused(Site site, byte[] greeting, PtcpException.Code code, String part)
            throws IOException {
        try (Stranger stranger = Stranger.connect(site.port())) {
            stranger.send(greeting);
            assertThatThrownBy(stranger::answer)
                    .hasMessageContaining(part)
                    .isInstanceOfSatisfying(
                            PtcpException.class, e -> assertThat(e.code()).isEqualTo(code));
            assertThat(stranger.rest()).isEmpty();
        }
    }

    private static byte[] bytes(Greeting greeting) {
        ByteBuf out = Unpooled.buffer(Greeting.BYTES, Greeting.BYTES);
        greeting.write(out);
        return out.array();
    }

    /** The 128 bits behind a session's name. */
    private static SessionId id(Neighbour neighbour) {
        String name = neighbour.session().id();
        return new SessionId(
                Long.parseUnsignedLong(name.substring(0, 16), 16), Long.parseUnsignedLong(name.substring(16), 16));
    }

    @Test
    void shouldRefuseByNameWhenNoVersionIsInCommon() throws Exception {
        try (Site site = new Site(MANY)) {
            // when then
            for (int i = 0; i < TIMES; i++) {
                assertRefused(
                        site,
                        bytes(open(255, 200, 65_536)),
                        PtcpException.Code.VERSION,
                        "refused: the acceptor speaks versions 1..1, the opener 200..255");
            }
            site.awaitLine("VERSION", "the opener 200..255");
            site.assertUnharmed();
        }
    }

    @Test
    void shouldAgreeOnOursWhenTheOpenerIsNewer() throws Exception {
        // given
        try (Site site = new Site(MANY);
                Stranger control = Stranger.connect(site.port());
                Stranger data = Stranger.connect(site.port())) {
            // when
            Answer answer = control.send(open(9, 1, 65_536)).answer();
            Answer joined = data.send(Greeting.further(Greeting.Kind.JOIN, answer.session(), 1, answer.secret()))
                    .answer();
            byte[] packet = Stranger.frame(1, 5, 0, Stranger.text("hello"));

            // then
            assertThat(answer.version()).isEqualTo(1);
            assertThat(joined.version()).isEqualTo(1);
            assertThat(data.send(packet).read(packet.length)).isEqualTo(packet);
            control.abort();
            data.leave();
            site.assertUnharmed();
        }
    }

    /** What an acceptor of another version, or none, says to our opener. */
    @ParameterizedTest
    @ValueSource(strings = {"refusal", "newer", "http", "nothing"})
    void shouldNameTheReasonWhenTheAcceptorIsOfAnotherKind(String kind) throws Exception {
        // given
        byte[] says = says(kind);
        ServerSocket acceptor = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        try (Site site = new Site(MANY)) {
            Thread answering = new Thread(() -> {
                try (acceptor;
                        Socket socket = acceptor.accept()) {
                    socket.getInputStream().readNBytes(Greeting.BYTES);
                    socket.getOutputStream().write(says);
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            answering.start();

            // when then
            assertThatThrownBy(() -> site.open(acceptor.getLocalPort()).get(Patience.SECONDS, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .hasMessageContaining("127.0.0.1:" + acceptor.getLocalPort())
                    .hasMessageContaining(
                            switch (kind) {
                                case "refusal" -> "the acceptor speaks versions 2..3, the opener 1..1";
                                case "newer" -> "the acceptor chose version 7, the opener speaks versions 1..1";
                                case "http" -> "does not speak parallel TCP";
                                default -> "closed before an answer came";
                            })
                    .isInstanceOfSatisfying(
                            PtcpException.class,
                            e -> assertThat(e.code())
                                    .isEqualTo(
                                            kind.equals("refusal") || kind.equals("newer")
                                                    ? PtcpException.Code.VERSION
                                                    : PtcpException.Code.STRANGER));
            answering.join();
            site.assertUnharmed();
        }
    }

    private static byte[] says(String kind) {
        ByteBuf out = Unpooled.buffer(Answer.BYTES, Answer.BYTES);
        switch (kind) {
            case "refusal" -> {
                Answer.refuse(out, Answer.Refusal.VERSION, "the acceptor speaks versions 2..3, the opener 1..1");
                return out.array();
            }
            case "newer" -> {
                return ByteBuffer.allocate(Answer.BYTES)
                        .putInt(Greeting.MAGIC)
                        .put((byte) 7)
                        .array();
            }
            case "http" -> {
                return Stranger.text("HTTP/1.1 400 Bad Request\r\n\r\n");
            }
            default -> {
                return new byte[0];
            }
        }
    }

    @Test
    void shouldRefuseByNameWhenPacketsWouldBeACrowd() throws Exception {
        try (Site site = new Site(MANY)) {
            // when then
            for (int i = 0; i < TIMES; i++) {
                assertRefused(site, bytes(open(1, 1, 1)), PtcpException.Code.REFUSED, "packets of 1");
            }
            site.awaitLine("PROTOCOL", "packets of 1");
            site.assertUnharmed();
        }
    }

    @Test
    void shouldRefuseAndForgetTheNumberWhenTheSecretIsWrong() throws Exception {
        // given
        try (Recorder recorder = new Recorder();
                Site site = new Site(MANY, recorder::to)) {
            Secret wrong = Secret.random(new Random(1));
            SessionId known = id(site.neighbour());

            // when
            for (int i = 0; i < TIMES; i++) {
                Greeting.Kind kind = i % 2 == 0 ? Greeting.Kind.JOIN : Greeting.Kind.RESUME;
                Greeting forged = Greeting.further(kind, known, Integer.MAX_VALUE - i, wrong);
                assertRefused(site, bytes(forged), PtcpException.Code.REFUSED, "or no proof of belonging to it");
            }

            // then
            site.awaitLine("UNKNOWN", "or no proof of belonging to it");
            recorder.lines().get(1).cut();
            Patience.await()
                    .until(() -> site.neighbour().session().snapshot().streamsLost() == 1
                            && site.neighbour().session().snapshot().streams().size() == 2);
            site.assertUnharmed();
        }
    }

    @Test
    void shouldBeWorthNothingWhenAJoiningStreamIsReplayed() throws Exception {
        // given
        try (Recorder recorder = new Recorder();
                Site site = new Site(MANY, recorder::to)) {
            byte[] joined = recorder.lines().get(1).said();
            assertThat(joined[6]).isEqualTo((byte) 2);
            byte[] greeting = Arrays.copyOf(joined, Greeting.BYTES);

            // when then
            for (int i = 0; i < TIMES; i++) {
                assertRefused(site, greeting, PtcpException.Code.REFUSED, "or no proof of belonging to it");
            }
            try (Stranger whole = Stranger.connect(site.port())) {
                whole.send(joined);
                assertThat(whole.rest()).doesNotContain("\u0001\u0000\u0000\u0000");
            }
            site.assertUnharmed();
            site.neighbour().stop();
            Patience.await().until(() -> !site.neighbour().session().isOpen());
            assertRefused(site, greeting, PtcpException.Code.REFUSED, "or no proof of belonging to it");
        }
    }

    @Test
    void shouldBeWorthNothingWhenAControlChannelIsReplayed() throws Exception {
        // given
        try (Recorder recorder = new Recorder();
                Site site = new Site(MANY, recorder::to)) {
            int count = recorder.lines().size();
            recorder.lines().get(0).cut();
            Patience.await()
                    .until(() -> recorder.lines().stream()
                            .skip(count)
                            .anyMatch(line -> line.said().length > Greeting.BYTES));
            byte[] resumed = Arrays.copyOf(recorder.lines().get(count).said(), Greeting.BYTES);
            assertThat(resumed[6]).isEqualTo((byte) 3);
            site.neighbour().assertUnharmed();

            // when then
            for (int i = 0; i < TIMES; i++) {
                assertRefused(site, resumed, PtcpException.Code.REFUSED, "or no proof of belonging to it");
            }
            site.assertUnharmed();
        }
    }

    /** An opening says nothing that is secret: whoever repeats it has an empty session of his own. */
    @Test
    void shouldGiveAnotherSessionWhenAnOpeningIsReplayed() throws Exception {
        // given
        try (Recorder recorder = new Recorder();
                Site site = new Site(MANY, recorder::to)) {
            byte[] opened = Arrays.copyOf(recorder.lines().get(0).said(), Greeting.BYTES);
            byte[] joined = Arrays.copyOf(recorder.lines().get(1).said(), Greeting.BYTES);

            // when
            Answer first;
            Answer second;
            try (Stranger one = Stranger.connect(site.port());
                    Stranger other = Stranger.connect(site.port())) {
                first = one.send(opened).answer();
                second = other.send(opened).answer();
                assertRefused(site, joined, PtcpException.Code.REFUSED, "or no proof of belonging to it");
            }

            // then
            assertThat(first.session()).isNotEqualTo(second.session()).isNotEqualTo(id(site.neighbour()));
            assertThat(hex(first.secret(), first.session())).isNotEqualTo(hex(second.secret(), first.session()));
            site.assertUnharmed();
        }
    }

    private static String hex(Secret secret, SessionId session) {
        return ByteBufUtil.hexDump(secret.proof(Greeting.Kind.JOIN, session, 1));
    }
}
