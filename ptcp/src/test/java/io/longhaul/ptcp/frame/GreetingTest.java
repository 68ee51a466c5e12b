package io.longhaul.ptcp.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.ptcp.PtcpException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class GreetingTest {
    private static final String OPEN =
            "50544350" + "01010100" + "00".repeat(16) + "00000010" + "00010000" + "0000000002000000" + "00".repeat(32);

    private static ByteBuf bytes(String hex) {
        return Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex));
    }

    @Test
    void shouldHaveTheBytesOfTheDiagramWhenItOpens() {
        // given
        ByteBuf out = Unpooled.buffer();

        // when
        Greeting.open(16, 65536, 32L * 1024 * 1024).write(out);

        // then
        assertThat(ByteBufUtil.hexDump(out)).isEqualTo(OPEN);
    }

    @ParameterizedTest
    @EnumSource(
            value = Greeting.Kind.class,
            names = {"JOIN", "RESUME"})
    void shouldReadWhatWasWrittenWhenItIsAFurtherChannel(Greeting.Kind kind) {
        // given
        Secret secret = Secret.random(new Random(1));
        SessionId session = new SessionId(0x0123456789abcdefL, -2);
        ByteBuf out = Unpooled.buffer();

        // when
        Greeting.further(kind, session, 7, secret).write(out);
        String hex = ByteBufUtil.hexDump(out);
        Greeting found = Greeting.read(out);

        // then
        assertThat(hex).hasSize(144);
        assertThat(hex)
                .startsWith(
                        "50544350" + "01010" + kind.code() + "00" + "0123456789abcdeffffffffffffffffe" + "00000007");
        assertThat(found.kind()).isEqualTo(kind);
        assertThat(found.session()).isEqualTo(session);
        assertThat(found.number()).isEqualTo(7);
        assertThat(secret.accepts(found)).isTrue();
        assertThat(out.isReadable()).isFalse();
    }

    @Test
    void shouldChooseOursWhenThePeerSpeaksANewerVersionToo() {
        // given
        Greeting greeting = Greeting.read(bytes("50544350" + "0201" + OPEN.substring(12)));

        // when then
        assertThat(Version.choose(greeting.newest(), greeting.oldest())).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0000", "0302", "0202", "0102"})
    void shouldRefuseByNameWhenNoVersionIsInCommon(String versions) {
        // given
        ByteBuf in = bytes("50544350" + versions + OPEN.substring(12));
        String theirs = versions.charAt(3) + ".." + versions.charAt(1);

        // when then
        assertThatThrownBy(() -> Greeting.read(in)).isInstanceOfSatisfying(PtcpException.class, e -> {
            assertThat(e.code()).isEqualTo(PtcpException.Code.VERSION);
            assertThat(e).hasMessage("the acceptor speaks versions 1..1, the opener " + theirs);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"00", "04", "ff"})
    void shouldRefuseWhenTheKindIsUnknown(String kind) {
        // given
        ByteBuf in = bytes("505443500101" + kind + OPEN.substring(14));

        // when then
        assertThatThrownBy(() -> Greeting.read(in))
                .isInstanceOf(PtcpException.class)
                .hasMessageContaining("expected 1, 2 or 3");
    }

    @Test
    void shouldKnowABeginningWhenFewBytesAreThere() {
        assertThat(Greeting.mayBegin(Unpooled.EMPTY_BUFFER)).isTrue();
        assertThat(Greeting.mayBegin(bytes("5054"))).isTrue();
        assertThat(Greeting.mayBegin(bytes(OPEN))).isTrue();
        assertThat(Greeting.mayBegin(bytes("5055"))).isFalse();
        assertThat(Greeting.mayBegin(bytes("16030100"))).isFalse();
    }

    @Test
    void shouldAcceptAProofOnlyWhenKindSessionAndNumberAreTheSame() {
        // given
        Secret secret = Secret.random(new Random(2));
        SessionId session = new SessionId(1, 2);
        byte[] proof = secret.proof(Greeting.Kind.JOIN, session, 3);

        // when then
        assertThat(secret.accepts(claim(Greeting.Kind.JOIN, session, 3, proof))).isTrue();
        assertThat(secret.accepts(claim(Greeting.Kind.RESUME, session, 3, proof)))
                .isFalse();
        assertThat(secret.accepts(claim(Greeting.Kind.JOIN, new SessionId(1, 3), 3, proof)))
                .isFalse();
        assertThat(secret.accepts(claim(Greeting.Kind.JOIN, session, 4, proof))).isFalse();
        assertThat(Secret.random(new Random(3)).accepts(claim(Greeting.Kind.JOIN, session, 3, proof)))
                .isFalse();
        assertThat(secret).hasToString("Secret[...]");
    }

    private static Greeting claim(Greeting.Kind kind, SessionId session, int number, byte[] proof) {
        return new Greeting(1, 1, kind, 0, session, number, 0, 0, proof);
    }
}
