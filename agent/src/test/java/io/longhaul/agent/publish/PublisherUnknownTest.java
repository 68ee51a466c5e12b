package io.longhaul.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.Publication;
import io.longhaul.agent.PublishRequest;
import io.longhaul.wire.Receipt;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The network does not know all subscriptions of a topic. */
class PublisherUnknownTest extends OneBench {
    private static final String WHY = "broker hub waits for the link to leaf";

    private Path file;

    @BeforeEach
    void writeFile() {
        file = bench.file("f", Bench.bytes(10 * Bench.PIECE, 1));
    }

    /** Nobody is known to subscribe, and somebody may. */
    private void forget() {
        bench.link.unsubscribe(Bench.TOPIC, Bench.SUBSCRIPTION);
        bench.network.unknownBehind(WHY);
    }

    private void awaitNotices(Publication publication, int count) {
        while (bench.notices.size() < count && !publication.result().isDone()) {
            bench.delay.fire();
            Thread.onSpinWait();
        }
        assertThat(bench.notices).hasSize(count);
    }

    private void awaitEnd(Publication publication) {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(Bench.PATIENCE_SECONDS);
        while (!publication.result().isDone() && System.nanoTime() < deadlineNs) {
            bench.delay.fire();
            Thread.onSpinWait();
        }
    }

    /** Publishes until all is sent. */
    private Publication sent() {
        Publication publication = bench.publisher.publish(bench.request(file).withReceipts(1));
        while (!publication.progress().phase().equals("waiting")) {
            Thread.onSpinWait();
        }
        return publication;
    }

    private List<String> sentTo() {
        return OutgoingDetail.parse(bench.rows().get(0).detail()).sentTo();
    }

    /** Lets a publication that waits for receipts look at its topic so often. */
    private void look(Publication publication, int times) {
        for (int i = 0; i < times; i++) {
            while (bench.delay.waiting() == 0 && !publication.result().isDone()) {
                Thread.onSpinWait();
            }
            bench.delay.fire();
        }
    }

    private void awaitSentTo(Publication publication) {
        while (sentTo().isEmpty() && !publication.result().isDone()) {
            bench.delay.fire();
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldWaitAndSaySoWhenSomebodyMaySubscribe() {
        // given
        forget();
        Publication publication = bench.publisher.publish(bench.request(file));
        awaitNotices(publication, 1);
        assertThat(publication.result()).isNotDone();

        // when
        bench.network.createSubscription(Bench.TOPIC, Bench.SUBSCRIPTION);
        bench.network.unknownBehind("");

        // then
        awaitEnd(publication);
        Bench.await(publication);
        assertThat(bench.notices)
                .singleElement()
                .asString()
                .startsWith("transfer " + publication.transfer())
                .endsWith(" waits: " + WHY);
        assertThat(bench.received().manifests).hasSize(1);
    }

    @Test
    void shouldRefuseWhenItTurnsOutThatNobodySubscribes() {
        // given
        forget();
        Publication publication = bench.publisher.publish(bench.request(file));
        awaitNotices(publication, 1);

        // when
        bench.network.unknownBehind("");

        // then
        awaitEnd(publication);
        assertThat(Bench.failure(publication)).hasMessageContaining("nobody subscribes to topic t.one");
    }

    @Test
    void shouldLetOthersPassWhileManyWait() {
        // given
        forget();
        List<Publication> waiting = IntStream.range(0, 10)
                .mapToObj(i -> bench.publisher.publish(bench.request(bench.file("w" + i, new byte[] {1}))))
                .toList();
        bench.network.createSubscription("t.two", "s2");

        // when
        Publication other =
                bench.publisher.publish(PublishRequest.of(file, "t.two").withPieceSize(Bench.PIECE));

        // then
        Bench.await(other);
        assertThat(waiting).noneMatch(each -> each.result().isDone());

        // when
        waiting.forEach(Publication::cancel);

        // then
        assertThat(waiting).allSatisfy(each -> assertThat(Bench.failure(each)).hasMessageContaining("cancelled"));
    }

    @Test
    void shouldNotWaitWhenThoseThatAreKnownSuffice() {
        // given
        bench.network.unknownBehind(WHY);

        // when
        bench.publish(file);

        // then
        assertThat(bench.notices).isEmpty();
        assertThat(bench.received().manifests).hasSize(1);
    }

    @Test
    void shouldSayWhyATransferIsHeldInTheSpool() {
        // given
        forget();
        Publication publication =
                bench.publisher.publish(bench.request(file).withSpool(true).withReceipts(1));
        Bench.await(publication.spooled());
        awaitNotices(publication, 1);
        assertThat(bench.notices.get(0)).contains("is held: " + WHY);

        // when
        bench.network.unknownBehind("");

        // then
        awaitNotices(publication, 2);
        assertThat(bench.notices.get(1)).contains("is held: nobody subscribes");
        assertThat(publication.result()).isNotDone();
    }

    @Test
    void shouldGoOnWaitingForReceiptsWhenASubscriptionIsNotKnownAnyMore() {
        // given
        Publication publication = sent();
        awaitSentTo(publication);

        // when
        forget();
        look(publication, 3);

        // then
        assertThat(publication.result()).isNotDone();

        // when
        bench.network.createSubscription(Bench.TOPIC, Bench.SUBSCRIPTION);
        bench.network.unknownBehind("");
        look(publication, 3);
        bench.publisher.receipt(bench.receipt(publication, Bench.SUBSCRIPTION, Receipt.Outcome.DELIVERED, ""));

        // then
        assertThat(Bench.await(publication).receipts()).hasSize(1);
    }

    @Test
    void shouldNoteToWhomATransferWasSentOnlyWhenAllAreKnown() {
        // given
        bench.network.unknownBehind(WHY);
        Publication publication = sent();

        // when
        look(publication, 3);

        // then
        assertThat(sentTo()).isEmpty();

        // when
        bench.network.createSubscription(Bench.TOPIC, "s2");
        bench.network.unknownBehind("");
        awaitSentTo(publication);

        // then
        assertThat(sentTo()).containsExactly(Bench.SUBSCRIPTION, "s2");
    }
}
