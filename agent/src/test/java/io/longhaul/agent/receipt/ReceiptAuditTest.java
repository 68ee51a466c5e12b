package io.longhaul.agent.receipt;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.storage.Direction;
import io.longhaul.storage.Disk;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.ReceiptKeyRow;
import io.longhaul.storage.ReceiptLink;
import io.longhaul.storage.ReceiptRow;
import io.longhaul.wire.Receipt;
import io.longhaul.wire.ReceiptSignature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReceiptAuditTest {
    private static final Instant LATER = Instant.ofEpochMilli(1_900_000_000_000L);

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
    void shouldFindNothingWhenNoReceiptIsThere() {
        assertThat(ledger.faults()).isEmpty();
    }

    @Test
    void shouldFindNothingWhenTheChainIsWhole() {
        // when
        ledger.give(5);

        // then
        assertThat(ledger.faults()).isEmpty();
        assertThat(ledger.standings()).hasSize(5).containsOnly(ReceiptStanding.VALID);
        assertThat(ledger.receipts())
                .extracting(each ->
                        each.receipt().orElseThrow().proof().orElseThrow().sequence())
                .containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(ledger.notices).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'\"length\":102', '\"length\":103'",
        "'abab', 'bbab'",
        "'\"path\":\"file-2', '\"path\":\"file-x'",
        "'DELIVERED', 'KEPT'",
        "'site-b', 'site-c'",
        "'\"signature\":\"', '\"signature\":\"00'",
    })
    void shouldNameTheReceiptWhenItsContentWasChanged(String found, String instead) {
        // given
        ledger.give(3);

        // when
        ledger.vandalize("UPDATE receipt SET receipt = REGEXP_REPLACE(receipt, '" + found + "', '" + instead
                + "') WHERE chain_number = 2");

        // then
        assertThat(ledger.faults())
                .isNotEmpty()
                .first()
                .asString()
                .containsAnyOf("signature: expected", "expected a receipt");
        assertThat(ledger.standings().get(1)).isIn(ReceiptStanding.WRONG, ReceiptStanding.UNREADABLE);
    }

    @Test
    void shouldNameTheGapWhenAReceiptIsMissing() {
        // given
        ledger.give(4);

        // when
        ledger.vandalize("DELETE FROM receipt WHERE chain_number = 2");

        // then
        assertThat(ledger.faults())
                .containsExactly("file-3: sequence: expected 2 after 1, found 3: receipts between are missing");
    }

    @Test
    void shouldMissTheLastReceiptsWhenTheyAreGone() {
        // given
        ledger.give(4);

        // when
        ledger.vandalize("DELETE FROM receipt WHERE chain_number > 2");

        // then
        assertThat(ledger.faults())
                .containsExactly(
                        "chain of the receipts given: expected its end at number 4, found it at 2: receipts are"
                                + " missing");
    }

    @Test
    void shouldNameTheForkWhenANumberIsThereTwice() {
        // given
        ledger.give(2);
        ReceiptKey own = ReceiptKey.open(ledger.store().directory(), Disk.real(), AuditedLedger.CLOCK);

        // when
        ledger.commit(new LedgerChange.PutReceipt(
                ReceiptSigner.row(Direction.INCOMING, AuditedLedger.signed(9, own, 2), AuditedLedger.NOW + 9)));

        // then
        assertThat(ledger.faults()).containsExactly("file-9: sequence: expected none as in the ledger's row, found 2");
    }

    @Test
    void shouldNameTheReceiptWhenItsPredecessorIsAnother() {
        // given
        ledger.give(2);
        ReceiptKey own = ReceiptKey.open(ledger.store().directory(), Disk.real(), AuditedLedger.CLOCK);

        // when
        Receipt third = AuditedLedger.signed(3, own, 3, AuditedLedger.signed(1, own, 1));
        ReceiptRow row = ReceiptSigner.row(Direction.INCOMING, third, AuditedLedger.NOW + 3);
        ledger.commit(new LedgerChange.AppendReceipt(
                row, (number, previous) -> new ReceiptLink.Linked(row.receipt(), ReceiptSignature.hash(third))));

        // then
        assertThat(ledger.faults())
                .singleElement()
                .asString()
                .startsWith("file-3: previous: expected SHA-256 ")
                .contains(" of receipt 2, found ");
    }

    @Test
    void shouldNameTheKeyWhenItIsNotTheAgents() {
        // given
        ledger.give(1);

        // when
        ledger.commit(new ReceiptSigner(AuditedLedger.OTHER).append(AuditedLedger.receipt(2, "s")));

        // then
        assertThat(ledger.faults())
                .singleElement()
                .asString()
                .startsWith("file-2: signature: expected one of key ")
                .endsWith("found one of key " + AuditedLedger.OTHER.fingerprint());
    }

    @Test
    void shouldGoOnWithTheChainAndSaySoWhenTheKeyFileIsRemoved() throws Exception {
        // given
        ledger.give(2);

        // when
        Files.delete(dir.resolve(ReceiptKey.FILE));
        ReceiptSigner signer = ReceiptSigner.open(ledger.store(), AuditedLedger.CLOCK, ledger.notices::add);
        ledger.commit(signer.append(AuditedLedger.receipt(3, "s")));

        // then
        assertThat(ledger.notices)
                .singleElement()
                .asString()
                .contains("from now on")
                .contains("--trust");
        assertThat(ledger.faults()).isEmpty();
    }

    @Test
    void shouldNameTheReceiptWhenItsSignatureWasTakenOff() {
        // given
        ledger.give(3);

        // when
        ledger.vandalize(
                "UPDATE receipt SET receipt = REGEXP_REPLACE(receipt, ',\"proof\".*', '}') WHERE chain_number = 2");

        // then
        assertThat(ledger.standings().get(1)).isEqualTo(ReceiptStanding.STRIPPED);
        assertThat(ledger.faults()).hasSize(2).first().asString().contains("file-2: signature: expected one of key");
        assertThat(ledger.faults().get(1)).isEqualTo("file-2: sequence: expected 2 as in the ledger's row, found none");
    }

    @Test
    void shouldTakeReceiptsWithoutSignatureWhenNoneWasExpected() {
        // when
        ledger.take(AuditedLedger.receipt(1, "s"));

        // then
        assertThat(ledger.standings()).containsExactly(ReceiptStanding.UNSIGNED);
        assertThat(ledger.faults()).isEmpty();
    }

    @Test
    void shouldAllowGapsButNoForksAmongReceiptsTaken() {
        // given
        Receipt first = AuditedLedger.signed(1, AuditedLedger.KEY, 4);
        ledger.take(first);
        ledger.take(AuditedLedger.signed(2, AuditedLedger.KEY, 5, first));
        ledger.take(AuditedLedger.signed(3, AuditedLedger.KEY, 9));
        assertThat(ledger.faults()).isEmpty();

        // when
        ledger.take(AuditedLedger.signed(4, AuditedLedger.KEY, 9, first));

        // then
        assertThat(ledger.faults())
                .singleElement()
                .asString()
                .contains("sequence: expected one receipt of number 9 with this key, found another one");
    }

    @Test
    void shouldNameTheReceiptTakenWhenItDoesNotFollowItsNeighbour() {
        // given
        ledger.take(AuditedLedger.signed(1, AuditedLedger.KEY, 4));

        // when
        ledger.take(AuditedLedger.signed(2, AuditedLedger.KEY, 5));

        // then
        assertThat(ledger.faults()).singleElement().asString().startsWith("file-2: previous: expected SHA-256 ");
    }

    @Test
    void shouldAcceptAnotherKeyOnceAPersonHas() {
        // given
        ledger.commit(new LedgerChange.PutReceiptKey(
                new ReceiptKeyRow("climate.daily", "s", AuditedLedger.KEY.publicKey(), AuditedLedger.NOW)));
        ledger.take(AuditedLedger.signed(1, AuditedLedger.KEY, 1));
        ledger.take(AuditedLedger.signed(2, AuditedLedger.OTHER, 1));
        assertThat(ledger.standings()).containsExactly(ReceiptStanding.VALID, ReceiptStanding.OTHER_KEY);
        assertThat(ledger.faults())
                .containsExactly("file-2: signature: expected one of key " + AuditedLedger.KEY.fingerprint()
                        + ", found one of key " + AuditedLedger.OTHER.fingerprint());

        // when
        List<ReceiptKeyRow> accepted =
                ReceiptTrust.accept(ledger.store().ledger(), AuditedLedger.OTHER.fingerprint(), AuditedLedger.NOW + 60);

        // then
        assertThat(accepted)
                .containsExactly(new ReceiptKeyRow(
                        "climate.daily", "s", AuditedLedger.OTHER.publicKey(), AuditedLedger.NOW + 60));
        assertThat(ledger.faults()).isEmpty();

        // and
        ledger.commit(new LedgerChange.PutReceipt(ReceiptSigner.row(
                Direction.OUTGOING,
                AuditedLedger.signed(3, AuditedLedger.KEY, 2, AuditedLedger.signed(1, AuditedLedger.KEY, 1)),
                AuditedLedger.NOW + 70)));
        assertThat(ledger.faults())
                .containsExactly("file-3: signature: expected one of key " + AuditedLedger.OTHER.fingerprint()
                        + ", found one of key " + AuditedLedger.KEY.fingerprint());

        // and
        ReceiptTrust.accept(ledger.store().ledger(), AuditedLedger.KEY.fingerprint(), AuditedLedger.NOW + 80);
        assertThat(ledger.faults()).isEmpty();
    }

    /** Whoever looks at it before its agent starts, and removes the note as they were told. */
    @Test
    void shouldGiveNoNumberAgainWhenTheLedgerHasLostReceipts() throws IOException {
        for (int loss = 1; loss <= 2; loss++) {
            // given
            Clock clock = Clock.fixed(LATER.plusSeconds(60 * loss), ZoneOffset.UTC);
            ledger.give(2);
            ledger.loseJournal();
            Files.delete(dir.resolve("DAMAGE"));

            // when
            for (int number : List.of(10 * loss + 1, 10 * loss + 2)) {
                ReceiptSigner signer = ReceiptSigner.open(ledger.store(), clock, ledger.notices::add);
                ledger.commit(signer.append(AuditedLedger.receipt(number, "s")));
            }

            // then
            assertThat(ledger.store().ledger().receiptChainEnd().orElseThrow().number())
                    .isEqualTo(clock.millis() + 1);
            assertThat(ledger.notices).anyMatch(line -> line.endsWith("have numbers from " + clock.millis() + " on"));
        }
        assertThat(ledger.faults()).isNotEmpty().first().asString().contains("receipts between are missing");
    }
}
