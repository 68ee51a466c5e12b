package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Random;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.utils.UUIDGenerator;
import org.junit.jupiter.api.Test;

class EncodedMessageTest {
    private static final int FROM = 3; // as behind the fields of a packet

    private static ByteBuf encoded(boolean full) {
        CoreMessage message = new CoreMessage(7, 64);
        message.setAddress("lh.topic.t");
        if (full) {
            message.setUserID(UUIDGenerator.getInstance().generateUUID());
            message.putBooleanProperty(SimpleString.of("boolean"), true);
            message.putByteProperty(SimpleString.of("byte"), (byte) 1);
            message.putBytesProperty(SimpleString.of("bytes"), new byte[100]);
            message.putShortProperty(SimpleString.of("short"), (short) 2);
            message.putIntProperty(SimpleString.of("int"), 3);
            message.putLongProperty(SimpleString.of("long"), 4);
            message.putFloatProperty(SimpleString.of("float"), 5);
            message.putDoubleProperty(SimpleString.of("double"), 6);
            message.putStringProperty(SimpleString.of("string"), SimpleString.of("text"));
            message.putCharProperty(SimpleString.of("char"), 'c');
            message.putObjectProperty(SimpleString.of("nothing"), null);
            message.getBodyBuffer().writeBytes(new byte[50]);
        }
        ByteBuf bytes = Unpooled.buffer().writeBytes(new byte[FROM]);
        message.sendBuffer(bytes, 0);
        return bytes;
    }

    @Test
    void shouldTakeWhatTheServerEncodes() {
        assertThat(EncodedMessage.isSound(encoded(false), FROM)).isTrue();
        assertThat(EncodedMessage.isSound(encoded(true), FROM)).isTrue();
        assertThat(EncodedMessage.isSound(encoded(true).writeByte(1), FROM)).isTrue();
    }

    @Test
    void shouldRefuseWhateverEndsTooEarly() {
        // given
        ByteBuf whole = encoded(true);

        // when, then
        for (int end = FROM; end < whole.writerIndex(); end++) {
            assertThat(EncodedMessage.isSound(whole.copy(0, end), FROM))
                    .as("cut at %d", end)
                    .isFalse();
        }
    }

    @Test
    void shouldRefuseAbsurdNumbersWhereverTheyAre() {
        // given
        ByteBuf whole = encoded(true);

        // when, then
        for (int number : new int[] {Integer.MAX_VALUE, Integer.MIN_VALUE, -1, 1 << 24}) {
            assertThat(EncodedMessage.isSound(whole.copy().setInt(FROM, number), FROM))
                    .isFalse();
        }
        int refused = 0;
        for (int at = FROM; at <= whole.writerIndex() - Integer.BYTES; at++) {
            ByteBuf changed = whole.copy().setInt(at, Integer.MAX_VALUE);
            if (EncodedMessage.isSound(changed, FROM)) {
                decode(changed);
            } else {
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }

    @Test
    void shouldLetNothingThroughThatTheDecoderCannotBearWhenBytesAreFlipped() {
        // given
        Random random = new Random(1);
        ByteBuf whole = encoded(true);

        // when, then
        for (int i = 0; i < 20_000; i++) {
            ByteBuf changed = whole.copy();
            for (int flips = random.nextInt(4); flips >= 0; flips--) {
                changed.setByte(FROM + random.nextInt(whole.writerIndex() - FROM), random.nextInt());
            }
            if (EncodedMessage.isSound(changed, FROM)) {
                decode(changed);
            }
        }
    }

    /** Ends, or fails in a way that costs nothing: lengths are right, but a text may have half a character. */
    private static void decode(ByteBuf bytes) {
        CoreMessage message = new CoreMessage();
        try {
            message.receiveBuffer(bytes.copy(FROM, bytes.readableBytes() - FROM));
            assertThat(message.getPropertyNames().size()).isLessThan(1000);
        } catch (RuntimeException e) {
            assertThat(e).isNotNull();
        }
    }
}
