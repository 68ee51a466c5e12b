package io.longhaul.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.Publication;
import io.longhaul.agent.PublishRequest;
import io.longhaul.wire.Receipt;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Publications that end with the receipts of subscriptions that the publisher names. */
class PublisherNamedTest extends OneBench {
    private static final String OTHER = "s2";
    private static final String LATER = "s3";

    private Path file;

    @BeforeEach
    void writeFile() {
        file = bench.file("f", Bench.bytes(10 * Bench.PIECE, 1));
        bench.network.createSubscription(Bench.TOPIC, OTHER);
    }

    private PublishRequest request() {
        return bench.request(file).withReceiptsOf(List.of(Bench.SUBSCRIPTION, OTHER));
    }

    private static void awaitSent(Publication publication) {
        while (!publication.progress().phase().equals("waiting")) {
            Thread.onSpinWait();
        }
    }

    private void answer(Publication publication, String subscription, Receipt.Outcome outcome) {
        bench.publisher.receipt(bench.receipt(publication, subscription, outcome, ""));
    }

    @Test
    void shouldNotEndWithTheReceiptOfOneThatHasSubscribedSince() {
        // given
        Publication publication = bench.publisher.publish(request());
        awaitSent(publication);
        bench.network.createSubscription(Bench.TOPIC, LATER);

        // when
        answer(publication, LATER, Receipt.Outcome.DELIVERED);
        answer(publication, Bench.SUBSCRIPTION, Receipt.Outcome.DELIVERED);

        // then
        assertThat(publication.result()).isNotDone();
        assertThat(publication.receipts()).hasSize(2);

        // when
        answer(publication, OTHER, Receipt.Outcome.DELIVERED);

        // then
        assertThat(Bench.await(publication).receipts())
                .extracting(Receipt::subscription)
                .containsExactly(LATER, Bench.SUBSCRIPTION, OTHER);
    }

    @Test
    void shouldKnowWhoseReceiptsEndItWhenItIsStartedAgain() {
        // given
        Publication before = bench.publisher.publish(request());
        awaitSent(before);
        answer(before, LATER, Receipt.Outcome.DELIVERED);
        answer(before, OTHER, Receipt.Outcome.DELIVERED);

        // when
        bench.restart();
        Publication publication = bench.publisher.resume(before.transfer()).orElseThrow();
        awaitSent(publication);

        // then
        assertThat(publication.result()).isNotDone();

        // when
        answer(publication, Bench.SUBSCRIPTION, Receipt.Outcome.DELIVERED);

        // then
        Bench.await(publication);
    }

    @Test
    void shouldFailWhenOneOfThemSaysSoWhateverOthersHave() {
        // given
        Publication publication = bench.publisher.publish(request());
        awaitSent(publication);

        // when
        answer(publication, LATER, Receipt.Outcome.DELIVERED);
        answer(publication, OTHER, Receipt.Outcome.FAILED);
        answer(publication, Bench.SUBSCRIPTION, Receipt.Outcome.DELIVERED);

        // then
        assertThat(Bench.failure(publication)).hasMessageContaining("subscription " + OTHER + " failed");
    }

    @Test
    void shouldBeRefusedWhenOneOfThemDoesNotSubscribe() {
        // given
        bench.network.createSubscription(Bench.TOPIC, LATER);

        // when
        Publication publication =
                bench.publisher.publish(bench.request(file).withReceiptsOf(List.of(Bench.SUBSCRIPTION, "nobody")));

        // then
        assertThat(Bench.failure(publication))
                .hasMessageContaining("expected receipts of 2 subscriptions (nobody, s1), found 1 on topic t.one,"
                        + " which has s1, s2, s3");
    }

    @Test
    void shouldNameThemWhenOneCanNeverAnswer() {
        // given
        Publication publication = bench.publisher.publish(request());
        awaitSent(publication);
        bench.restart();
        bench.link.unsubscribe(Bench.TOPIC, OTHER);
        bench.network.createSubscription(Bench.TOPIC, LATER);

        // when
        Publication again = bench.publisher.publish(request());
        bench.passUntilOver(again);

        // then
        assertThat(Bench.failure(again))
                .hasMessageContaining(
                        "expected receipts of 2 subscriptions (s1, s2), found 0; topic t.one now has s1, s3:"
                                + " 1 can never come");
    }

    @Test
    void shouldBeRefusedWhenItIsOnItsWayAndAwaitsOthers() {
        // given
        Publication publication = bench.publisher.publish(request());
        awaitSent(publication);

        // then
        assertThat(bench.publisher.publish(bench.request(file).withReceiptsOf(List.of(OTHER))))
                .isSameAs(publication);
        assertThat(bench.publisher.publish(bench.request(file).withReceipts(2))).isSameAs(publication);
        assertThatThrownBy(() -> bench.publisher.publish(bench.request(file).withReceiptsOf(List.of(LATER))))
                .isInstanceOf(AgentException.class)
                .hasMessageContaining("2 receipts (s1, s2)")
                .hasMessageContaining("a request for 1 (s3)");
    }
}
