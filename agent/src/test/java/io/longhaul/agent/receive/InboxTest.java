package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.wire.Frame;
import io.longhaul.wire.RepairRefusal;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InboxTest {
    private final Inbox inbox = new Inbox(2, Duration.ofMillis(1));

    @AfterEach
    void forgetInterrupt() {
        Thread.interrupted();
    }

    private static Frame frame(String reason) {
        return new RepairRefusal(Shipment.id(1), "holder", reason);
    }

    @Test
    void shouldDropWhatHasNoRoomAndTakeAgainWhenTheReaderMoves() throws InterruptedException {
        // given
        inbox.put(frame("1"));
        inbox.put(frame("2"));

        // when
        inbox.put(frame("3"));
        inbox.remove();
        inbox.put(frame("4"));

        // then
        assertThat(inbox.peek()).isEqualTo(frame("2"));
        inbox.remove();
        assertThat(inbox.peek()).isEqualTo(frame("4"));
        inbox.remove();
        assertThat(inbox.isEmpty()).isTrue();
    }

    /** Others would wait with it for each of its frames. */
    @Test
    void shouldNotWaitAgainForAReaderThatStandsStill() throws InterruptedException {
        // given
        inbox.put(frame("1"));
        inbox.put(frame("2"));
        inbox.put(frame("3"));

        // when
        Thread.currentThread().interrupt();
        inbox.put(frame("4")); // would throw if it waited

        // then
        assertThat(inbox.peek()).isEqualTo(frame("1"));
    }
}
