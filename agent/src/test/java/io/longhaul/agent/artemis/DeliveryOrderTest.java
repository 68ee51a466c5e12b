package io.longhaul.agent.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.link.Link;
import io.longhaul.wire.Cancel;
import io.longhaul.wire.TransferId;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.core.client.impl.ClientMessageImpl;
import org.apache.activemq.artemis.core.protocol.core.impl.PacketImpl;
import org.apache.activemq.artemis.core.protocol.core.impl.wireformat.SessionReceiveMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeliveryOrderTest {
    private static final Cancel FRAME = new Cancel(TransferId.parse("00000000000000000000000000000001"), "why");

    @ParameterizedTest
    @ValueSource(ints = {0, 4, 9})
    void shouldLetNoMessageOvertakeOthersInTheConsumer(int priority) {
        // given
        ClientMessage message = Messages.encode(FRAME, "", priority);

        // when
        boolean passed = new DeliveryOrder().intercept(new SessionReceiveMessage((ClientMessageImpl) message), null);

        // then
        assertThat(passed).isTrue();
        assertThat(message.getPriority()).isEqualTo((byte) Link.NORMAL_PRIORITY);
        assertThat(Messages.decode(message, "token").frame()).contains(FRAME);
    }

    @Test
    void shouldPassWhatIsNoMessage() {
        assertThat(new DeliveryOrder().intercept(new PacketImpl(PacketImpl.PING), null))
                .isTrue();
    }
}
