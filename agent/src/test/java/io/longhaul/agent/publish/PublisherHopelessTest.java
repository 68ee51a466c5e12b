package io.longhaul.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.Publication;
import io.longhaul.agent.link.LinkException;
import io.longhaul.agent.link.MemoryLink;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Receipt;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Receipts that can never come, and rights that are missing. */
class PublisherHopelessTest extends OneBench {
    private Path file;

    @BeforeEach
    void writeFile() {
        file = bench.file("f", Bench.bytes(10 * Bench.PIECE, 1));
    }

    /** Publishes until all is sent and the ledger knows to whom. */
    private Publication waiting(int receipts) {
        Publication publication = bench.publisher.publish(bench.request(file).withReceipts(receipts));
        while (!publication.progress().phase().equals("waiting")
                || OutgoingDetail.parse(bench.rows().get(0).detail()).sentTo().isEmpty()) {
            bench.delay.fire();
            Thread.onSpinWait();
        }
        return publication;
    }

    private AgentException failure(Publication publication) {
        bench.passUntilOver(publication);
        return Bench.failure(publication);
    }

    @Test
    void shouldRefuseNamingSubscriptionsWhenTheLastThatWasSentToIsGone() {
        // given
        Publication before = waiting(1);
        bench.restart();
        bench.network.createSubscription(Bench.TOPIC, "late");
        bench.link.unsubscribe(Bench.TOPIC, Bench.SUBSCRIPTION);

        // when
        Publication again = bench.publisher.publish(bench.request(file).withReceipts(1));
        AgentException failure = failure(again);

        // then
        assertThat(again.transfer()).isEqualTo(before.transfer());
        assertThat(failure.code()).isEqualTo(AgentException.Code.REFUSED);
        assertThat(failure).hasMessageContaining("it was sent to s1; topic t.one now has late: 1 can never come");
        assertThat(bench.rows().get(0).state()).isEqualTo(TransferState.SENT);
    }

    @Test
    void shouldRefuseWhenMoreReceiptsAreAskedOnResumeThanCanCome() {
        // given
        waiting(1);
        bench.restart();

        // when
        AgentException failure =
                failure(bench.publisher.publish(bench.request(file).withReceipts(2)));

        // then
        assertThat(failure.code()).isEqualTo(AgentException.Code.REFUSED);
        assertThat(failure).hasMessageContaining("expected receipts of 2 subscriptions, found 0");
    }

    @Test
    void shouldEndTheWaitAndStayResumableWhenReceiptsMayNotBeTakenAnyMore() {
        // given
        Publication publication = waiting(1);

        // when
        bench.receiptsRefused = new LinkException(LinkException.Code.FORBIDDEN, "no right to receipts");

        // then
        AgentException failure = failure(publication);
        assertThat(failure.code()).isEqualTo(AgentException.Code.REFUSED);
        assertThat(failure).hasMessageContaining("no right to receipts");
        assertThat(bench.rows().get(0).state()).isEqualTo(TransferState.SENT);
    }

    @Test
    void shouldGoOnWaitingWhenReceiptsCannotBeOpenedNow() {
        // given
        Publication publication = waiting(1);
        bench.receiptsRefused = new LinkException(LinkException.Code.FAILED, "an internal error");
        int before = bench.receiptTopics.size();
        for (int i = 0; i < 3; i++) {
            bench.delay.fire();
        }

        // when
        bench.receiptsRefused = null;
        while (bench.receiptTopics.size() == before) {
            bench.delay.fire();
            Thread.onSpinWait();
        }

        // then
        assertThat(publication.result()).isNotDone();
    }

    @Test
    void shouldRefuseWhenSubscriptionVanishesWhileItsReceiptIsWaitedFor() {
        // given
        Publication publication = waiting(1);

        // when
        bench.link.unsubscribe(Bench.TOPIC, Bench.SUBSCRIPTION);

        // then
        assertThat(failure(publication)).hasMessageContaining("topic t.one now has no subscription");
    }

    @Test
    void shouldCompleteWhenReceiptOfVanishedSubscriptionArrivesLate() {
        // given
        waiting(1);
        bench.restart();
        bench.link.unsubscribe(Bench.TOPIC, Bench.SUBSCRIPTION);
        Publication again = bench.publisher.publish(bench.request(file).withReceipts(1));
        while (bench.delay.waiting() == 0) {
            Thread.onSpinWait();
        }
        assertThat(again.result()).isNotDone();

        // when
        bench.publisher.receipt(bench.receipt(again, Bench.SUBSCRIPTION, Receipt.Outcome.DELIVERED, ""));

        // then
        assertThat(Bench.await(again).receipts()).hasSize(1);
    }

    @Test
    void shouldRefuseHalfSentTransferOnResumeWhenReceiptsCanNeverCome() {
        // given
        bench.link.weather(MemoryLink.Weather.UNACKNOWLEDGED);
        bench.network.createSubscription(Bench.TOPIC, "s2");
        bench.publisher.publish(bench.request(file).withReceipts(2));
        while (bench.link.acknowledge(1) == 0) {
            Thread.onSpinWait();
        }
        bench.restart();
        bench.link.unsubscribe(Bench.TOPIC, "s2");

        // when
        AgentException failure =
                failure(bench.publisher.publish(bench.request(file).withReceipts(2)));

        // then
        assertThat(failure.code()).isEqualTo(AgentException.Code.REFUSED);
        assertThat(failure).hasMessageContaining("1 can never come");
    }

    @Test
    void shouldNameMissingRightWhenNobodySubscribesEither() {
        // given
        bench.link.unsubscribe(Bench.TOPIC, Bench.SUBSCRIPTION);
        bench.forbidden = true;

        // when
        AgentException failure = Bench.failure(bench.publisher.publish(bench.request(file)));

        // then
        assertThat(failure.code()).isEqualTo(AgentException.Code.REFUSED);
        assertThat(failure).hasMessageContaining("no right to publish").hasMessageNotContaining("subscribe");
        assertThat(bench.rows()).isEmpty();
    }

    @Test
    void shouldCountWhatIsSafeFromTheStartWhenItGoesOn() {
        // given
        bench.link.weather(MemoryLink.Weather.UNACKNOWLEDGED);
        bench.publisher.publish(bench.request(file));
        for (int safe = 0; safe <= 4; safe += bench.link.acknowledge(1)) {
            Thread.onSpinWait();
        }
        bench.delay.fire();
        bench.restart();
        bench.link.weather(MemoryLink.Weather.STALLED);

        // when
        Publication again = bench.publisher.publish(bench.request(file));

        // then
        assertThat(again.progress().safeBytes()).isEqualTo(4L * Bench.PIECE);
        bench.link.weather(MemoryLink.Weather.FAIR);
        Bench.await(again);
        assertThat(again.progress().safeBytes()).isEqualTo(10L * Bench.PIECE);
    }

    @Test
    void shouldCountAllAsSafeWhenOnlyReceiptsAreAwaited() {
        // given
        waiting(1);
        bench.restart();

        // when
        Publication again = bench.publisher.publish(bench.request(file).withReceipts(1));

        // then
        assertThat(again.progress().safeBytes()).isEqualTo(10L * Bench.PIECE);
    }
}
