package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.TransferId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.junit.jupiter.api.Test;

class FramePackTest {
    private static final SimpleString ASIDE = SimpleString.of("lh.parked.t@s");
    private static final String BODY = "{\"name\":\"2026/11/a file.nc\",\"mode\":420,\"publisher\":\"somebody\"}";

    private static Message frame(int number) {
        CoreMessage frame = new CoreMessage(number, 500);
        frame.setAddress("lh.topic.t");
        frame.setDurable(true);
        frame.putStringProperty(SimpleString.of(FrameCodec.TYPE), SimpleString.of("manifest"));
        frame.putStringProperty(
                SimpleString.of(FrameCodec.TRANSFER), SimpleString.of(new TransferId(number, -number).toString()));
        frame.getBodyBuffer().writeBytes((BODY + number).getBytes(StandardCharsets.UTF_8));
        return frame;
    }

    private static List<Message> frames(int count) {
        List<Message> all = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            all.add(frame(i));
        }
        return all;
    }

    private static byte[] body(Message message) {
        ActiveMQBuffer body = message.toCore().getReadOnlyBodyBuffer();
        byte[] bytes = new byte[body.readableBytes()];
        body.readBytes(bytes);
        return bytes;
    }

    private static List<String> inWords(List<Message> frames) {
        return frames.stream()
                .map(frame -> frame.getObjectProperty(FrameCodec.TYPE) + " " + transfer(frame) + " " + frame.isDurable()
                        + " " + new String(body(frame), StandardCharsets.UTF_8))
                .toList();
    }

    private static String transfer(Message frame) {
        return String.valueOf(frame.getObjectProperty(FrameCodec.TRANSFER));
    }

    @Test
    void shouldGiveBackWhatWasPackedInOrder() throws IOException {
        // given
        List<Message> frames = frames(100);

        // when
        Message pack = FramePack.pack(7, ASIDE, frames);

        // then
        assertThat(FramePack.isPack(pack)).isTrue();
        assertThat(FramePack.isPack(frames.get(0))).isFalse();
        assertThat(inWords(FramePack.unpack(pack))).isEqualTo(inWords(frames));
    }

    @Test
    void shouldTakeFewBytesForEachFrame() throws Exception {
        // given
        List<Message> frames = frames(500);

        // when
        Message pack = FramePack.pack(7, ASIDE, frames);

        // then
        assertThat(pack.getPersistentSize() / frames.size()).isLessThan(64);
        assertThat(frames.get(0).getPersistentSize()).isGreaterThan(200);
    }

    @Test
    void shouldTellWhoseFramesAreLostWhenItIsDamaged() throws IOException {
        // given
        Message pack = FramePack.pack(7, ASIDE, frames(3));
        byte[] body = body(pack);
        body[body.length / 2] ^= 1;

        // when
        pack.toCore().getBodyBuffer().clear();
        pack.toCore().getBodyBuffer().writeBytes(body);

        // then
        assertThatThrownBy(() -> FramePack.unpack(pack)).isInstanceOf(IOException.class);
        assertThat(FramePack.lost(pack))
                .extracting(FramePackTest::transfer)
                .containsExactly(
                        new TransferId(1, -1).toString(),
                        new TransferId(2, -2).toString(),
                        new TransferId(3, -3).toString());
    }
}
