package io.longhaul.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.Publication;
import io.longhaul.agent.PublicationResult;
import io.longhaul.storage.Direction;
import io.longhaul.storage.ReceiptKeyRow;
import io.longhaul.storage.ReceiptRows;
import io.longhaul.wire.Receipt;
import io.longhaul.wire.ReceiptProof;
import io.longhaul.wire.ReceiptSignature;
import io.longhaul.wire.TransferId;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a publisher makes of the signatures of receipts. */
class PublisherSignedReceiptsTest extends OneBench {
    private static final KeyPair KEYS = keys();
    private static final KeyPair OTHER_KEYS = keys();

    private Publication publication;

    private static KeyPair keys() {
        try {
            return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void publish() {
        publication = waiting("f");
    }

    private Publication waiting(String name) {
        return bench.publisher.publish(
                bench.request(bench.file(name, Bench.bytes(10, 1))).withReceipts(1));
    }

    private Receipt plain(Publication of) {
        return bench.receipt(of, Bench.SUBSCRIPTION, Receipt.Outcome.DELIVERED, "");
    }

    private Receipt signed(Publication of, long sequence, KeyPair keys) {
        return ReceiptSignature.sign(plain(of), sequence, ReceiptSignature.NO_PREVIOUS, keys);
    }

    /** A receipt with the signature of another one. */
    private Receipt forged(Publication of) {
        ReceiptProof foreign = ReceiptSignature.sign(
                        bench.receipt(of, Bench.SUBSCRIPTION, Receipt.Outcome.KEPT, ""),
                        1,
                        ReceiptSignature.NO_PREVIOUS,
                        KEYS)
                .proof()
                .orElseThrow();
        return plain(of).withProof(foreign);
    }

    @Test
    void shouldCountAndExpectTheKeyFromThenOnWhenTheFirstReceiptIsSigned() {
        // given
        Receipt receipt = signed(publication, 1, KEYS);

        // when
        boolean counts = bench.publisher.receipt(receipt);

        // then
        assertThat(counts).isTrue();
        PublicationResult result = Bench.await(publication);
        assertThat(result.receipts()).containsExactly(receipt);
        assertThat(bench.store.ledger().receiptKeys(Bench.TOPIC, Bench.SUBSCRIPTION))
                .extracting(ReceiptKeyRow::key)
                .containsExactly(ReceiptSignature.keyOf(KEYS.getPublic()));
        assertThat(bench.notices).isEmpty();
    }

    @Test
    void shouldGoOnWaitingForTheRightReceiptWhenOneHasAWrongSignature() {
        // when
        boolean counts = bench.publisher.receipt(forged(publication));
        bench.publisher.receipt(forged(publication));

        // then
        assertThat(counts).isFalse();
        assertThat(publication.result()).isNotDone();
        assertThat(bench.store.ledger().receiptKeys(Bench.TOPIC, Bench.SUBSCRIPTION))
                .isEmpty();
        assertThat(ReceiptRows.refused(bench.store.ledger())).hasSize(1);
        assertThat(bench.notices)
                .singleElement()
                .asString()
                .contains(publication.transfer())
                .contains("signature: expected one of key")
                .contains("it does not count");

        // and
        Receipt right = signed(publication, 1, KEYS);
        assertThat(bench.publisher.receipt(right)).isTrue();
        assertThat(Bench.await(publication).receipts()).containsExactly(right);
        assertThat(ReceiptRows.of(bench.store.ledger(), Direction.OUTGOING)).hasSize(1);
    }

    @Test
    void shouldNotCountAWrongReceiptEitherWhenRestarted() {
        // given
        while (!publication.progress().phase().equals("waiting")) {
            Thread.onSpinWait();
        }
        bench.publisher.receipt(forged(publication));

        // when
        bench.restart();
        Publication again = bench.publisher.resume(publication.transfer()).orElseThrow();

        // then
        assertThat(again.result()).isNotDone();
        bench.publisher.receipt(signed(again, 1, KEYS));
        assertThat(Bench.await(again).receipts()).hasSize(1);
    }

    @Test
    void shouldCountAndSayOnceWhenASubscriptionChangesItsKey() {
        // given
        bench.publisher.receipt(signed(publication, 1, KEYS));
        Bench.await(publication);
        Publication second = waiting("g");
        Publication third = waiting("h");

        // when
        bench.publisher.receipt(signed(second, 2, OTHER_KEYS));
        bench.publisher.receipt(signed(third, 3, OTHER_KEYS));

        // then
        assertThat(Bench.await(second).receipts()).hasSize(1);
        assertThat(Bench.await(third).receipts()).hasSize(1);
        assertThat(bench.notices)
                .singleElement()
                .asString()
                .contains("found one of key "
                        + ReceiptSignature.fingerprint(ReceiptSignature.keyOf(OTHER_KEYS.getPublic())))
                .contains("is marked");
        assertThat(bench.store.ledger().receiptKeys(Bench.TOPIC, Bench.SUBSCRIPTION))
                .hasSize(1);
    }

    @Test
    void shouldCountAnUnsignedReceiptAsEver() {
        // when
        boolean counts = bench.publisher.receipt(plain(publication));

        // then
        assertThat(counts).isTrue();
        assertThat(Bench.await(publication).receipts()).hasSize(1);
        assertThat(bench.store.ledger().receiptKeys(Bench.TOPIC, Bench.SUBSCRIPTION))
                .isEmpty();
        assertThat(bench.notices).isEmpty();
    }

    @Test
    void shouldSayWhetherAReceiptOfAnotherPublisherHolds() {
        // given
        Receipt own = plain(publication);
        Receipt other = new Receipt(
                new TransferId(1, 2),
                own.topic(),
                own.subscription(),
                own.agent(),
                own.outcome(),
                own.length(),
                own.digest(),
                own.path(),
                own.atMillis(),
                own.reason(),
                Optional.empty());
        Receipt signed = ReceiptSignature.sign(other, 1, ReceiptSignature.NO_PREVIOUS, KEYS);
        Receipt forged = other.withProof(forged(publication).proof().orElseThrow());

        // when, then
        assertThat(bench.publisher.receipt(other)).isTrue();
        assertThat(bench.publisher.receipt(signed)).isTrue();
        assertThat(bench.publisher.receipt(forged)).isFalse();
        assertThat(ReceiptRows.of(bench.store.ledger(), Direction.OUTGOING)).isEmpty();
        assertThat(ReceiptRows.refused(bench.store.ledger())).isEmpty();
    }
}
