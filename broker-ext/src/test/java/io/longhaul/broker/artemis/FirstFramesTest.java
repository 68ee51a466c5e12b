package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.artemis.FrameGuard;
import io.longhaul.ptcp.artemis.PtcpParameters;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.activemq.artemis.core.buffers.impl.ChannelBufferWrapper;
import org.apache.activemq.artemis.core.protocol.core.impl.PacketImpl;
import org.apache.activemq.artemis.core.protocol.core.impl.wireformat.ClusterConnectMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FirstFramesTest {
    private static final PairSecret SECRET = secret("hub", "a password");

    private static PairSecret secret(String name, String password) {
        PtcpParameters partner = PtcpParameters.of(Map.of());
        return PairSecret.of(name, new PairTerms(false, partner, Optional.empty(), "pair", password, false));
    }

    private static ByteBuf greeting(PairSecret secret) {
        ByteBuf bytes = Unpooled.buffer();
        ClusterConnectMessage message = new ClusterConnectMessage(secret.user(), secret.password());
        bytes.writeInt(0).writeByte(message.getType()).writeLong(0);
        message.encodeRest(new ChannelBufferWrapper(bytes));
        return bytes.setInt(0, bytes.readableBytes() - Integer.BYTES);
    }

    @Test
    void shouldTrustTheOtherBrokerOfAPairWhenItKnowsTheSecret() {
        // given
        FrameGuard guard = FirstFrames.guard(Optional.of(SECRET));

        // when / then
        assertThat(guard.isSerial()).isFalse();
        assertThat(guard.accepts(greeting(SECRET))).isTrue();
        assertThat(guard.isSerial()).isTrue();
        assertThat(guard.mostBytes()).isEqualTo(FirstFrames.MOST_BYTES);
    }

    @Test
    void shouldBoundTheTimeForALoginWhenTheBrokerIsNotOneOfAPair() {
        // given
        FrameGuard guard = FirstFrames.guard(Optional.empty());

        // when / then
        assertThat(guard.isTrusted()).isFalse();
        assertThat(guard.loginLimit()).contains(Duration.ofSeconds(30));
        assertThat(FirstFrames.guard(Optional.of(SECRET)).loginLimit()).isEmpty();
        guard.trust();
        assertThat(guard.isTrusted()).isTrue();
    }

    @Test
    void shouldRefuseABackupWhenItDoesNotKnowTheSecret() {
        // given
        FrameGuard guard = FirstFrames.guard(Optional.of(SECRET));
        guard.trust();

        // when / then
        assertThatThrownBy(() -> guard.accepts(greeting(secret("hub", "another"))))
                .isInstanceOf(PtcpException.class)
                .hasMessageContaining("no backup of this broker");
        assertThatThrownBy(() -> guard.accepts(greeting(secret("other", "a password"))))
                .isInstanceOf(PtcpException.class);
    }

    @Test
    void shouldRefuseABackupWhenTheBrokerIsNotOneOfAPair() {
        // given
        FrameGuard guard = FirstFrames.guard(Optional.empty());

        // when / then
        assertThatThrownBy(() -> guard.accepts(greeting(SECRET))).isInstanceOf(PtcpException.class);
    }

    @ParameterizedTest
    @ValueSource(
            bytes = {
                PacketImpl.SESS_SEND_CONTINUATION,
                PacketImpl.SESS_RECEIVE_LARGE_MSG,
                PacketImpl.SESS_RECEIVE_CONTINUATION,
                PacketImpl.SESS_XA_PREPARE,
                PacketImpl.CLUSTER_TOPOLOGY
            })
    void shouldRefuseWhatNoAgentSendsAlsoFromAKnownUser(byte type) {
        // given
        FrameGuard guard = FirstFrames.guard(Optional.empty());
        guard.trust();
        ByteBuf frame = Unpooled.buffer()
                .writeInt(1 + 8 + 4)
                .writeByte(type)
                .writeLong(10)
                .writeInt(Integer.MAX_VALUE);

        // when / then
        assertThatThrownBy(() -> guard.accepts(frame))
                .isInstanceOf(PtcpException.class)
                .hasMessageContaining("sends");
    }

    @Test
    void shouldNotShowTheSecretWhenItIsPrinted() {
        assertThat(SECRET.toString()).doesNotContain(SECRET.password());
    }
}
