package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.ptcp.artemis.FrameGuard;
import io.longhaul.ptcp.artemis.PtcpParameters;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.core.buffers.impl.ChannelBufferWrapper;
import org.apache.activemq.artemis.spi.core.remoting.Connection;
import org.apache.activemq.artemis.spi.core.remoting.Connector;
import org.junit.jupiter.api.Test;

final class PairConnectorTest {
    private static final PairSecret SECRET = PairSecret.of(
            "hub", new PairTerms(false, PtcpParameters.of(Map.of()), Optional.empty(), "pair", "a password", false));

    private final List<ByteBuf> written = new ArrayList<>();

    private <T> T fake(Class<T> type, Map<String, Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    if (method.getName().equals("write")) {
                        written.add(((ActiveMQBuffer) arguments[0]).byteBuf());
                    }
                    return answers.get(method.getName());
                }));
    }

    private Connector dialling(Connection connection) {
        return fake(Connector.class, Map.of("createConnection", connection));
    }

    /** Whoever is known keeps its place when strangers crowd in. */
    @Test
    void shouldSayAtOnceWhoIsThere() {
        // given
        Connection connection =
                fake(Connection.class, Map.of("createTransportBuffer", new ChannelBufferWrapper(Unpooled.buffer(64))));
        FrameGuard primary = FirstFrames.guard(Optional.of(SECRET));

        // when
        Connection made = new PairConnector(dialling(connection), SECRET).createConnection();

        // then
        assertThat(made).isSameAs(connection);
        assertThat(written).hasSize(1);
        assertThat(written.get(0).getInt(0)).isEqualTo(written.get(0).readableBytes() - Integer.BYTES);
        assertThat(primary.accepts(written.get(0))).isTrue();
        assertThat(primary.isTrusted()).isTrue();
    }

    @Test
    void shouldReturnNoConnectionWhenThereIsNoneToBeHad() {
        // given
        Connector away = fake(Connector.class, Map.of());

        // when, then
        assertThat(new PairConnector(away, SECRET).createConnection()).isNull();
    }
}
