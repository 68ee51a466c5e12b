package io.longhaul.agent.artemis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.link.Delivery;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.Manifest;
import io.longhaul.wire.OrderStamp;
import io.longhaul.wire.Piece;
import io.longhaul.wire.PieceHeader;
import io.longhaul.wire.TransferId;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.core.client.impl.ClientMessageImpl;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
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

    private static Piece piece(PieceHeader.Kind kind, byte... bytes) {
        int length = Math.max(1, bytes.length);
        CRC32C crc = new CRC32C();
        crc.update(Arrays.copyOf(bytes, length));
        PieceHeader header =
                new PieceHeader(MANIFEST.transfer(), 3, kind, 0, length, (int) crc.getValue(), Optional.empty());
        return new Piece(header, ByteBuffer.wrap(bytes));
    }

    /** What the receiver makes of the bytes that Artemis sends. */
    private static ClientMessage received(ClientMessage sent) {
        ByteBuf wire = Unpooled.buffer();
        ((ClientMessageImpl) sent).sendBuffer(wire, 0);
        ClientMessageImpl message = new ClientMessageImpl();
        message.receiveBuffer(wire);
        return message;
    }

    @Test
    void shouldArriveAsItWasWhenABodyIsSentFromTheMiddleOfABuffer() {
        byte[] around = "xxx0123456789yyy".getBytes(US_ASCII);
        Piece whole = piece(PieceHeader.Kind.RANGE, Arrays.copyOfRange(around, 3, 13));
        Piece piece = new Piece(whole.header(), ByteBuffer.wrap(around, 3, 10).slice());

        ClientMessage message = received(Messages.encode(piece, "id", 7));

        assertThat(Messages.decode(message, "token").frame()).contains(whole);
        assertThat(message.getPriority()).isEqualTo((byte) 7);
        assertThat(message.isDurable()).isTrue();
        assertThat(message.getType()).isEqualTo(Message.BYTES_TYPE);
        assertThat(message.getDuplicateProperty()).isEqualTo(SimpleString.of("id"));
    }

    @Test
    void shouldArriveAsItWasWhenABodyIsEmptyOrItsPropertiesAreLong() {
        Piece hole = piece(PieceHeader.Kind.HOLE);

        ClientMessage message = Messages.encode(hole, "x".repeat(5000), 4);
        message.setAddress("a".repeat(5000));

        assertThat(Messages.decode(received(message), "token").frame()).contains(hole);
        assertThat(received(message).getAddress()).hasSize(5000);
    }

    @Test
    void shouldSendTheBytesOfTheFrameWithoutACopyOfItsOwn() {
        byte[] body = {1, 2, 3};
        Piece piece = piece(PieceHeader.Kind.RANGE, body);
        ClientMessage message = Messages.encode(piece, "", 4);

        body[1] = 9;

        assertThat(received(message).getBodyBuffer().byteBuf().getByte(CoreMessage.BODY_OFFSET + 1))
                .isEqualTo((byte) 9);
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
