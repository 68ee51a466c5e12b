package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OneConsumerTest {
    @ParameterizedTest
    @CsvSource({
        "lh.inbox.site-a, agent name site-a",
        "lh.sub.climate.daily@mirror-1, subscription mirror-1 of topic climate.daily",
        "lh.endpoint.front-1, endpoint front-1",
        "lh.sub.odd, lh.sub.odd"
    })
    void shouldUseTheWordsOfUsersWhenQueueIsInUse(String queue, String words) {
        assertThat(OneConsumer.inWords(queue)).isEqualTo(words);
    }
}
