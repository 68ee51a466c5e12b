package io.longhaul.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AddressesTest {

    @Test
    void shouldNameAddressesAndQueues() {
        assertThat(Addresses.topic("a.b")).isEqualTo("lh.topic.a.b");
        assertThat(Addresses.subscriptionQueue("a.b", "s.1")).isEqualTo("lh.sub.a.b@s.1");
        assertThat(Addresses.receipts("a.b")).isEqualTo("lh.receipts.a.b");
        assertThat(Addresses.receiptsQueue("a.b", "ag")).isEqualTo("lh.receipts.a.b@ag");
        assertThat(Addresses.holders("a.b")).isEqualTo("lh.holders.a.b");
        assertThat(Addresses.holdersQueue("a.b", "ag")).isEqualTo("lh.holders.a.b@ag");
        assertThat(Addresses.inbox("ag")).isEqualTo("lh.inbox.ag");
        assertThat(Addresses.endpoint("front.1")).isEqualTo("lh.endpoint.front.1");
        assertThat(Addresses.post("hub")).isEqualTo("lh.post.hub");
    }

    @ParameterizedTest
    @CsvSource({
        "lh.sub.a.b@s.1, lh.topic.a.b",
        "lh.receipts.a@ag, lh.receipts.a",
        "lh.holders.a@ag.0f, lh.holders.a",
        "lh.inbox.ag, lh.inbox.ag",
        "lh.endpoint.front.1, lh.endpoint.front.1",
        "lh.broker.hub, lh.broker.hub",
        "lh.topic.a.b, lh.topic.a.b"
    })
    void shouldTellWhatFillsAQueueWhenSomebodyKeepsIt(String queue, String address) {
        assertThat(Addresses.addressOf(queue)).isEqualTo(address);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "lh.broker",
                "lh.answer.1",
                "lh.link.p@lh.topic.a",
                "lh.relay.p",
                "lh.post.p",
                "lh.endpoint.",
                "lh.endpoint.a b",
                "lh.parked.a@s",
                "lh.topic.a@s",
                "lh.sub.a",
                "lh.inbox.",
                "lh.receipts.a@"
            })
    void shouldRefuseWhenNobodyInTheNetworkKeepsAQueue(String queue) {
        assertThatThrownBy(() -> Addresses.addressOf(queue)).isInstanceOf(WireException.class);
    }

    @Test
    void shouldReadTopicAndSubscriptionWhenAQueueIsOne() {
        assertThat(Addresses.topicOf("lh.sub.a.b@s.1")).isEqualTo("a.b");
        assertThat(Addresses.subscriptionOf("lh.sub.a.b@s.1")).isEqualTo("s.1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "lh.sub.",
                "lh.sub.a",
                "lh.sub.@s",
                "lh.sub.a@",
                "lh.sub.a@b@c",
                "lh.topic.a@b",
                "@",
                "lh.sub.a b@c"
            })
    void shouldRefuseWhenAQueueIsNoSubscription(String queue) {
        assertThatThrownBy(() -> {
                    Addresses.topicOf(queue);
                    Addresses.subscriptionOf(queue);
                })
                .isInstanceOf(WireException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "lh.topic.a",
                "lh.receipts.a",
                "lh.inbox.",
                "lh.inbox.a b",
                "lh.broker.",
                "lh.brokers",
                "other"
            })
    void shouldRefuseALeaseRequestWhenItsAnswerWouldGoElsewhere(String replyTo) {
        assertThatThrownBy(() -> new LeaseRequest("r", "t", "s", List.of(), replyTo))
                .isInstanceOf(WireException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"lh.broker", "lh.broker.north", "lh.inbox.agent-1"})
    void shouldTakeALeaseRequestWhenItsAnswerGoesToABrokerOrAnInbox(String replyTo) {
        assertThat(new LeaseRequest("r", "t", "s", List.of(), replyTo).replyTo())
                .isEqualTo(replyTo);
    }
}
