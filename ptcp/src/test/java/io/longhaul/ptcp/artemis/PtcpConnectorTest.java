package io.longhaul.ptcp.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.core.protocol.core.impl.ActiveMQClientProtocolManager;
import org.apache.activemq.artemis.core.server.ActiveMQComponent;
import org.apache.activemq.artemis.spi.core.remoting.ClientConnectionLifeCycleListener;
import org.apache.activemq.artemis.spi.core.remoting.ClientProtocolManager;
import org.apache.activemq.artemis.spi.core.remoting.Connection;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PtcpConnectorTest {
    private final List<String> reasons = new ArrayList<>();

    private final class Telling extends ActiveMQClientProtocolManager implements ConnectListener {
        @Override
        public void cannotConnect(String why, boolean loginRefused) {
            reasons.add(why);
        }
    }

    /** Another broker's configuration, which nobody has checked. */
    @ParameterizedTest
    @CsvSource({"65, 'maxStreams: expected 1..64, found 65'", "-1, 'streams: expected 0..32, found -1'"})
    void shouldTellWhyItHasNoConnectionWhenTheNumberOfStreamsIsImpossible(int streams, String why) {
        // given
        Map<String, Object> parameters = Map.of("host", "127.0.0.1", "port", 1, "streams", streams);
        PtcpConnector connector =
                new PtcpConnector(parameters, (id, buffer) -> {}, new Nobody(), new Telling(), Runnable::run);
        connector.start();

        // when
        Connection made = connector.createConnection();

        // then
        assertThat(made).isNull();
        assertThat(reasons).containsExactly(why);
        connector.close();
    }

    /** Whom no connection concerns. */
    private static final class Nobody implements ClientConnectionLifeCycleListener {
        @Override
        public void connectionCreated(
                @Nullable ActiveMQComponent component, Connection connection, ClientProtocolManager protocol) {}

        @Override
        public void connectionDestroyed(Object connectionId, boolean failed) {}

        @Override
        public void connectionException(Object connectionId, ActiveMQException me) {}

        @Override
        public void connectionReadyForWrites(Object connectionId, boolean ready) {}
    }
}
