package io.longhaul.agent.receipt;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.storage.Direction;
import io.longhaul.storage.LedgerChange;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Somebody takes away or changes what tells that receipts are missing or forged. */
class RemovedEvidenceTest {
    @TempDir
    Path dir;

    private AuditedLedger ledger;

    @BeforeEach
    void open() {
        ledger = new AuditedLedger(dir);
    }

    @AfterEach
    void close() {
        ledger.close();
    }

    @Test
    void shouldMissTheKeyOfTheAgentWhenItWasRemoved() {
        // given
        ledger.give(1);

        // when
        ledger.vandalize("DELETE FROM receipt_key");

        // then
        assertThat(ledger.standings()).containsExactly(ReceiptStanding.OTHER_KEY);
        assertThat(ledger.faults())
                .hasSize(2)
                .contains("chain of the receipts given: expected the key of this agent in the ledger, found none")
                .first()
                .asString()
                .startsWith("file-1: signature: expected one of a key that the ledger keeps, found one of key ");
    }

    @Test
    void shouldMissTheKeyOfASubscriptionWhenItWasRemovedAndAcceptItAgainFromAPerson() {
        // given
        ledger.take(AuditedLedger.signed(1, AuditedLedger.KEY, 1));
        assertThat(ledger.faults()).isEmpty();

        // when
        ledger.vandalize("DELETE FROM receipt_key");

        // then
        assertThat(ledger.faults())
                .containsExactly("file-1: signature: expected one of a key that the ledger keeps, found one of key "
                        + AuditedLedger.KEY.fingerprint());

        // and
        ReceiptTrust.accept(ledger.store().ledger(), AuditedLedger.KEY.fingerprint(), AuditedLedger.NOW + 60);
        assertThat(ledger.faults()).isEmpty();
    }

    @Test
    void shouldMissTheRecordOfTheEndWhenItWasRemovedWithTheLastReceipts() {
        // given
        ledger.give(4);

        // when
        ledger.vandalize("DELETE FROM receipt WHERE chain_number > 2");
        ledger.vandalize("DELETE FROM receipt_chain");

        // then
        assertThat(ledger.faults())
                .containsExactly("chain of the receipts given: expected a record of its end, at number 2 or later,"
                        + " found none");
    }

    @Test
    void shouldCompareTheRecordOfTheEndAlsoWhenTheChainGoesOnBehindIt() {
        // given
        ledger.give(3);

        // when
        ledger.vandalize("UPDATE receipt_chain SET chain_number = 2");

        // then
        assertThat(ledger.faults())
                .singleElement()
                .asString()
                .startsWith("file-2: content: expected SHA-256 ")
                .contains(" as recorded at the end of the chain, found ");
    }

    @ParameterizedTest
    @CsvSource({
        "chain_number = 7, 'sequence: expected 7 as in the ledger''s row, found 2'",
        "chain_number = NULL, 'sequence: expected none as in the ledger''s row, found 2'",
        "chain_hash = ab, 'content: expected SHA-256 ab as in the ledger''s row, found '"
    })
    void shouldNameTheReceiptWhenTheLedgersRowSaysOtherwise(String change, String fault) {
        // given
        ledger.give(3);

        // when
        ledger.vandalize("UPDATE receipt SET " + change.replace("ab", "'ab'") + " WHERE chain_number = 2");

        // then
        assertThat(ledger.faults()).anyMatch(each -> each.startsWith("file-2: " + fault));
    }

    @Test
    void shouldFindNothingWhenReceiptsAreFromBeforeThereWereKeysAndChains() {
        // given
        ledger.commit(new LedgerChange.PutReceipt(
                ReceiptSigner.row(Direction.INCOMING, AuditedLedger.receipt(1, "s"), AuditedLedger.NOW - 50)));
        ledger.take(AuditedLedger.receipt(2, "s"));
        assertThat(ledger.faults()).isEmpty();

        // when
        ledger.give(1);

        // then
        assertThat(ledger.faults()).isEmpty();
        assertThat(ledger.standings())
                .containsExactly(ReceiptStanding.UNSIGNED, ReceiptStanding.UNSIGNED, ReceiptStanding.VALID);
    }
}
