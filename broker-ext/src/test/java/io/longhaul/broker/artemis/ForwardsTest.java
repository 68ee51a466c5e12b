package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.apache.activemq.artemis.core.server.impl.AckReason;
import org.junit.jupiter.api.Test;

class ForwardsTest {
    private final List<String> gone = new ArrayList<>();
    private long nowNs = 5;
    private final Forwards forwards = new Forwards("relay", () -> nowNs);

    private static CoreMessage message(String duplicateId) {
        CoreMessage message = new CoreMessage(1, 100);
        message.setAddress("lh.topic.t");
        message.setDurable(true);
        message.putBytesProperty("_AMQ_DUPL_ID", duplicateId.getBytes(StandardCharsets.UTF_8));
        return message;
    }

    private void leaves(CoreMessage message) {
        forwards.messageAcknowledged(
                null, MessageReference.Factory.createReference(message, null), AckReason.NORMAL, null);
    }

    @Test
    void shouldBeGoneWhenAllQueuesHaveGivenItAway() {
        // given
        CoreMessage message = message("a");
        Forwards.Passing one = forwards.begin(message);

        // when then
        leaves(message);
        one.routed(2, () -> gone.add("a"));
        assertThat(gone).isEmpty();
        leaves(message);
        assertThat(gone).containsExactly("a");
    }

    @Test
    void shouldWaitForTheFirstOneWhenAMessageComesTwice() {
        // given
        CoreMessage first = message("a");
        forwards.begin(first).routed(1, () -> gone.add("first"));

        // when
        forwards.begin(message("a")).again(() -> gone.add("second"));
        forwards.begin(message("b")).again(() -> gone.add("other"));

        // then
        assertThat(gone).containsExactly("other");
        leaves(first);
        assertThat(gone).containsExactly("other", "first", "second");
        forwards.begin(message("a")).again(() -> gone.add("third"));
        assertThat(gone).endsWith("third");
    }

    @Test
    void shouldGoOutAsItCameThoughNothingOfItIsWritten() {
        // given
        CoreMessage message = message("a");
        CoreMessage fleeting = message("b").setDurable(false);

        // when
        forwards.begin(message);
        forwards.begin(fleeting);

        // then
        assertThat(message.isDurable()).isFalse();
        assertThat(Forwards.asItCame(message).isDurable()).isTrue();
        assertThat(Forwards.asItCame(fleeting).isDurable()).isFalse();
    }

    @Test
    void shouldBeIgnorantUntilNeighboursHadTheTimeToSpeakUnlessItRemembers() {
        assertThat(forwards.isIgnorant()).isTrue();
        nowNs += TimeUnit.SECONDS.toNanos(30);
        assertThat(forwards.isIgnorant()).isFalse();

        // when
        nowNs = 6;
        forwards.remembering();

        // then
        assertThat(forwards.isIgnorant()).isFalse();
    }

    @Test
    void shouldRefuseWhatItWouldHaveToKeep() throws Exception {
        assertThatThrownBy(() -> forwards.beforeCreateQueue(QueueConfiguration.of("lh.sub.t@s")))
                .hasMessage("LH-FORBIDDEN: broker relay only forwards: subscribe and publish at another one");
        assertThatThrownBy(() -> forwards.beforeSend(null, null, message("a"), false, false))
                .hasMessageContaining("only forwards");
        forwards.beforeCreateQueue(QueueConfiguration.of("lh.link.b@lh.topic.t"));
    }
}
