package io.longhaul.ptcp.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.ptcp.PtcpException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GreetingTest {
    private final Secret secret = Secret.random(new SplittableRandom(1));
    private final SessionId session = new SessionId(1, 2);

    private static ByteBuf written(Greeting greeting) {
        ByteBuf bytes = Unpooled.buffer();
        greeting.write(bytes);
        return bytes;
    }

    @Test
    void shouldWriteAGreetingAsDocumented() {
        // when
        ByteBuf bytes = written(Greeting.open(16, 65536, 1L << 25));

        // then
        assertThat(bytes.readableBytes()).isEqualTo(Greeting.BYTES);
        assertThat(ByteBufUtil.hexDump(bytes, 0, 40))
                .isEqualTo("50544350" + "01010100" + "00".repeat(16) + "00000010" + "00010000" + "0000000002000000");
    }

    @Test
    void shouldAcceptTheProofOfItsOwnChannelOnly() {
        // given
        Greeting join = Greeting.further(Greeting.Kind.JOIN, session, 5, secret);

        // when
        Greeting read = Greeting.read(written(join));

        // then
        assertThat(secret.accepts(read)).isTrue();
        assertThat(Secret.random(new SplittableRandom(2)).accepts(read)).isFalse();
        for (Greeting other : new Greeting[] {
            Greeting.further(Greeting.Kind.RESUME, session, 5, secret),
            Greeting.further(Greeting.Kind.JOIN, session, 6, secret),
            Greeting.further(Greeting.Kind.JOIN, new SessionId(1, 3), 5, secret)
        }) {
            Greeting forged = new Greeting(1, 1, other.kind(), 0, other.session(), other.number(), 0, 0, read.proof());
            assertThat(secret.accepts(forged)).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "2, 1, 1", "9, 0, 1"})
    void shouldChooseTheNewestVersionThatBothSpeak(int newest, int oldest, int chosen) {
        // when then
        assertThat(Version.choose(newest, oldest)).isEqualTo(chosen);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "3, 2", "1, 2"})
    void shouldNameBothRangesWhenNoVersionIsInCommon(int newest, int oldest) {
        // when then
        assertThatThrownBy(() -> Version.choose(newest, oldest))
                .isInstanceOfSatisfying(
                        PtcpException.class, e -> assertThat(e.code()).isEqualTo(PtcpException.Code.VERSION))
                .hasMessageContaining("1..1")
                .hasMessageContaining(oldest + ".." + newest);
    }

    @Test
    void shouldRefuseWhatIsNoGreeting() {
        // given
        ByteBuf http = Unpooled.copiedBuffer("GET / HTTP/1.1\r\n".repeat(5).getBytes());
        ByteBuf kind = written(Greeting.open(1, 1024, 1024)).setByte(6, 9);

        // when then
        assertThat(Greeting.mayBegin(http)).isFalse();
        assertThat(Greeting.mayBegin(Unpooled.copiedBuffer(new byte[] {'P', 'T'})))
                .isTrue();
        assertThatThrownBy(() -> Greeting.read(http)).hasMessageContaining("no greeting");
        assertThatThrownBy(() -> Greeting.read(kind)).hasMessageContaining("kind 9");
    }

    @Test
    void shouldTellTheRefusalInItsOwnWordsWhenTheAcceptorSaysNo() {
        // given
        ByteBuf bytes = Unpooled.buffer();
        Answer.refuse(bytes, Answer.Refusal.FULL, "too many\n" + "x".repeat(100));

        // when then
        assertThat(bytes.readableBytes()).isEqualTo(Answer.BYTES);
        assertThatThrownBy(() -> Answer.read(bytes))
                .isInstanceOfSatisfying(
                        PtcpException.class, e -> assertThat(e.code()).isEqualTo(PtcpException.Code.FULL))
                .hasMessageStartingWith("refused: too manyxxx");
    }

    @Test
    void shouldReadTheAnswerThatWasWritten() {
        // given
        ByteBuf bytes = Unpooled.buffer();
        new Answer(1, session, 8, 4096, 1 << 20, secret).write(bytes);

        // when
        Answer read = Answer.read(bytes);

        // then
        assertThat(read.session()).isEqualTo(session);
        assertThat(read.number()).isEqualTo(8);
        assertThat(read.packetBytes()).isEqualTo(4096);
        assertThat(read.windowBytes()).isEqualTo(1 << 20);
        assertThat(read.secret().proof(Greeting.Kind.JOIN, session, 1))
                .isEqualTo(secret.proof(Greeting.Kind.JOIN, session, 1));
    }
}
