package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.activemq.artemis.core.protocol.core.impl.wireformat.ReattachSessionResponseMessage;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyConnection;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class KnownPeersTest {
    private static final byte[] PREAMBLE = "ARTEMIS".getBytes(StandardCharsets.US_ASCII);
    private static final int LONGER_THAN_A_FIRST_FRAME = 100_000;

    private final EmbeddedChannel channel = new EmbeddedChannel(
            new ConnectionGuard(c -> {}, new QuietLog(LoggerFactory.getLogger(KnownPeersTest.class), () -> 0)));

    @AfterEach
    void finish() {
        channel.finishAndReleaseAll();
    }

    private RemotingConnection connection() {
        NettyConnection transport = new NettyConnection(Map.of(), channel, null, false, false);
        return (RemotingConnection) Proxy.newProxyInstance(
                RemotingConnection.class.getClassLoader(),
                new Class<?>[] {RemotingConnection.class},
                (self, method, arguments) -> method.getName().equals("getTransportConnection") ? transport : null);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTrustAConnectionOnlyWhenTheServerFoundTheSessionThatComesToIt(boolean found) {
        // given
        channel.writeInbound(Unpooled.wrappedBuffer(PREAMBLE));

        // when
        new KnownPeers().intercept(new ReattachSessionResponseMessage(1, found), connection());
        channel.writeInbound(Unpooled.buffer().writeInt(LONGER_THAN_A_FIRST_FRAME));

        // then
        assertThat(channel.isOpen()).isEqualTo(found);
    }
}
