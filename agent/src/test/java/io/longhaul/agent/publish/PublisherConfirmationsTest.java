package io.longhaul.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.Publication;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Receipt;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How many subscriptions must have a transfer, and how many may fail. */
class PublisherConfirmationsTest extends OneBench {
    private Path file;

    @BeforeEach
    void writeFile() {
        file = bench.file("f", Bench.bytes(3 * Bench.PIECE, 1));
        bench.network.createSubscription(Bench.TOPIC, "s2");
        bench.network.createSubscription(Bench.TOPIC, "s3");
    }

    private Publication waiting(int receipts) {
        Publication publication = bench.publisher.publish(bench.request(file).withReceipts(receipts));
        while (!publication.progress().phase().equals("waiting")
                || OutgoingDetail.parse(bench.rows().get(0).detail()).sentTo().isEmpty()) {
            bench.delay.fire();
            Thread.onSpinWait();
        }
        return publication;
    }

    private void answer(Publication publication, String subscription, Receipt.Outcome outcome) {
        bench.publisher.receipt(bench.receipt(publication, subscription, outcome, "no luck at " + subscription));
    }

    @Test
    void shouldCompleteWhenEnoughHaveItThoughOthersFailed() {
        // given
        Publication publication = waiting(1);

        // when
        answer(publication, "s1", Receipt.Outcome.FAILED);
        answer(publication, "s2", Receipt.Outcome.FAILED);
        assertThat(publication.result()).isNotDone();
        answer(publication, "s3", Receipt.Outcome.DELIVERED);

        // then
        assertThat(Bench.await(publication).receipts()).hasSize(3);
        assertThat(bench.rows().get(0).state()).isEqualTo(TransferState.COMPLETED);
    }

    @Test
    void shouldFailNamingAllThatFailedWhenTooFewAreLeft() {
        // given
        Publication publication = waiting(2);

        // when
        answer(publication, "s1", Receipt.Outcome.FAILED);
        assertThat(publication.result()).isNotDone();
        answer(publication, "s3", Receipt.Outcome.FAILED);

        // then
        AgentException failure = Bench.failure(publication);
        assertThat(failure.code()).isEqualTo(AgentException.Code.TRANSFER_FAILED);
        assertThat(failure).hasMessageContaining("no luck at s1").hasMessageContaining("no luck at s3");
        assertThat(bench.rows().get(0).state()).isEqualTo(TransferState.FAILED);
    }

    @Test
    void shouldRememberAcrossARestartWhoMayStillHaveIt() {
        // given
        answer(waiting(1), "s1", Receipt.Outcome.FAILED);
        bench.restart();

        // when
        Publication again = bench.publisher.publish(bench.request(file).withReceipts(1));
        answer(again, "s2", Receipt.Outcome.KEPT);

        // then
        assertThat(Bench.await(again).receipts()).hasSize(2);
    }

    @Test
    void shouldRefuseNamingWhoFailedWhenTheOthersAreGone() {
        // given
        Publication publication = waiting(1);
        answer(publication, "s1", Receipt.Outcome.FAILED);

        // when
        bench.link.unsubscribe(Bench.TOPIC, "s2");
        bench.link.unsubscribe(Bench.TOPIC, "s3");
        bench.passUntilOver(publication);

        // then
        AgentException failure = Bench.failure(publication);
        assertThat(failure.code()).isEqualTo(AgentException.Code.REFUSED);
        assertThat(failure)
                .hasMessageContaining("found 0; subscription s1 failed")
                .hasMessageContaining("never come");
    }
}
