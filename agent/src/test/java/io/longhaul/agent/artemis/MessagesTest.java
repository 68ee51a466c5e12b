package io.longhaul.agent.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.link.Delivery;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.Manifest;
import io.longhaul.wire.OrderStamp;
import io.longhaul.wire.TransferId;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.junit.jupiter.api.Test;

class MessagesTest {
    private static final long ORDER = 1_700_000_000_000L * 1024;
    private static final Manifest MANIFEST = new Manifest(
            TransferId.parse("00000000000000000000000000000001"), "t", "f", false, 4096, 10, 0644, 0, "agent", 0);

    private static ClientMessage stamped(long order, long checked) {
        ClientMessage message = Messages.encode(MANIFEST, "", 4);
        message.putLongProperty(OrderStamp.ORDER, order);
        message.putIntProperty(OrderStamp.CRC, OrderStamp.crc(checked));
        return message;
    }

    @Test
    void shouldReadTheOrderThatTheBrokerGave() {
        Delivery delivery = Messages.decode(stamped(ORDER, ORDER), "token");

        assertThat(delivery.frame()).contains(MANIFEST);
        assertThat(delivery.order()).isEqualTo(ORDER);
    }

    @Test
    void shouldTakeAManifestForDamagedWhenItsOrderIs() {
        Delivery delivery = Messages.decode(stamped(ORDER ^ 1L << 50, ORDER), "token");

        assertThat(delivery.frame()).isEmpty();
        assertThat(delivery.fault()).contains(OrderStamp.ORDER);
        assertThat(delivery.transferHint()).contains(MANIFEST.transfer().toString());
        assertThat(delivery.order()).isZero();
    }

    @Test
    void shouldKeepTheOrderOfAManifestWhoseBodyIsDamaged() {
        ClientMessage message = stamped(ORDER, ORDER);
        message.putIntProperty(FrameCodec.CRC, 0);

        Delivery delivery = Messages.decode(message, "token");

        assertThat(delivery.frame()).isEmpty();
        assertThat(delivery.order()).isEqualTo(ORDER);
    }
}
