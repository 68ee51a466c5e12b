package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.junit.jupiter.api.Test;

/** A server listens a moment before its network has read what it keeps, and a moment after that has left. */
class NetworkStartIT {
    @Test
    void shouldAnswerOnlyOnceWhatIsKeptHasBeenRead() throws Exception {
        try (LoneNetwork hub = new LoneNetwork("hub")) {
            // given
            hub.server().createQueue(QueueConfiguration.of("lh.sub.t@s").setAddress("lh.topic.t"));
            List<List<String>> answers = new ArrayList<>();
            hub.network().execute("a question", () -> answers.add(hub.network().subscriptions("t")));
            assertThat(hub.onThread(() -> List.copyOf(answers)))
                    .as("before the start")
                    .isEmpty();

            // when
            hub.start();

            // then
            assertThat(hub.onThread(() -> List.copyOf(answers))).containsExactly(List.of("s"));
        }
    }

    @Test
    void shouldHearOfNoLinkOnceItHasLeft() throws Exception {
        try (LoneNetwork hub = new LoneNetwork("hub")) {
            // given
            hub.start();
            hub.onThread(hub.network()::leave).join();
            List<String> attached = new ArrayList<>();

            // when
            hub.network().execute("a link", () -> attached.add("site"));

            // then
            assertThat(hub.onThread(() -> List.copyOf(attached))).isEmpty();
        }
    }
}
