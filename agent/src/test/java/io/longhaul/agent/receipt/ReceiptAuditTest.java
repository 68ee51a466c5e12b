package io.longhaul.agent.receipt;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.storage.Direction;
import io.longhaul.storage.Disk;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.ReceiptKeyRow;
import io.longhaul.storage.ReceiptRow;
import io.longhaul.storage.Store;
import io.longhaul.storage.StoreConfig;
import io.longhaul.storage.ledger.LedgerVandal;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.Receipt;
import io.longhaul.wire.ReceiptSignature;
import io.longhaul.wire.TransferId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReceiptAuditTest {
    private static final long NOW = 1_700_000_000_000L;
    private static final StoreConfig CONFIG = new StoreConfig(4096, 64 * 1024, Long.MAX_VALUE, 0);
    private static final Clock CLOCK = Clock.fixed(Instant.ofEpochMilli(NOW), ZoneOffset.UTC);
    private static final ReceiptKey KEY = ReceiptKey.generate();
    private static final ReceiptKey OTHER = ReceiptKey.generate();

    @TempDir
    Path dir;

    private final List<String> notices = new ArrayList<>();
    private Store store;

    @BeforeEach
    void openStore() {
        store = Store.open(dir, CONFIG, Disk.real());
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    private void vandalize(String sql) {
        store.close();
        LedgerVandal.run(dir, sql);
        openStore();
    }

    private void commit(LedgerChange... changes) {
        store.ledger().commit(List.of(changes)).join();
    }

    private static Receipt receipt(int number, String subscription) {
        return new Receipt(
                new TransferId(7, number),
                "climate.daily",
                subscription,
                "site-b",
                Receipt.Outcome.DELIVERED,
                100 + number,
                "ab".repeat(32),
                "file-" + number,
                NOW + number,
                "",
                Optional.empty());
    }

    /** Gives so many receipts, with the key of the store. */
    private void give(int count) {
        ReceiptSigner signer = ReceiptSigner.open(store, CLOCK, notices::add);
        for (int number = 1; number <= count; number++) {
            commit(signer.append(receipt(number, number % 2 == 0 ? "even" : "odd")));
        }
    }

    private List<String> faults() {
        ReceiptAudit audit = ReceiptAudit.of(store.ledger());
        List<String> faults = new ArrayList<>();
        audit.receipts().forEach(each -> each.faults().forEach(fault -> faults.add(path(each) + ": " + fault)));
        faults.addAll(audit.faults());
        return faults;
    }

    private static String path(AuditedReceipt audited) {
        return audited.receipt().map(Receipt::path).orElse("unreadable");
    }

    private List<ReceiptStanding> standings() {
        return ReceiptAudit.of(store.ledger()).receipts().stream()
                .map(AuditedReceipt::standing)
                .toList();
    }

    private static ReceiptRow row(Direction direction, Receipt receipt, long atMillis) {
        return new ReceiptRow(
                direction,
                receipt.transfer().toString(),
                receipt.topic(),
                receipt.subscription(),
                atMillis,
                new String(FrameCodec.toJson(receipt), StandardCharsets.UTF_8));
    }

    private static Receipt signed(int number, ReceiptKey key, long sequence, Receipt... before) {
        String previous = before.length == 0 ? ReceiptSignature.NO_PREVIOUS : ReceiptSignature.hash(before[0]);
        return ReceiptSignature.sign(receipt(number, "s"), sequence, previous, key.keys());
    }

    private void take(Receipt receipt) {
        commit(new LedgerChange.PutReceipt(row(Direction.OUTGOING, receipt, NOW + 50)));
    }

    @Test
    void shouldFindNothingWhenNoReceiptIsThere() {
        assertThat(faults()).isEmpty();
    }

    @Test
    void shouldFindNothingWhenTheChainIsWhole() {
        // when
        give(5);

        // then
        assertThat(faults()).isEmpty();
        assertThat(standings()).hasSize(5).containsOnly(ReceiptStanding.VALID);
        assertThat(ReceiptAudit.of(store.ledger()).receipts())
                .extracting(each ->
                        each.receipt().orElseThrow().proof().orElseThrow().sequence())
                .containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(notices).isEmpty();
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
        give(3);

        // when
        vandalize("UPDATE receipt SET receipt = REGEXP_REPLACE(receipt, '" + found + "', '" + instead
                + "') WHERE chain_number = 2");

        // then
        assertThat(faults()).isNotEmpty().first().asString().containsAnyOf("signature: expected", "expected a receipt");
        assertThat(standings().get(1)).isIn(ReceiptStanding.WRONG, ReceiptStanding.UNREADABLE);
    }

    @Test
    void shouldNameTheGapWhenAReceiptIsMissing() {
        // given
        give(4);

        // when
        vandalize("DELETE FROM receipt WHERE chain_number = 2");

        // then
        assertThat(faults())
                .containsExactly("file-3: sequence: expected 2 after 1, found 3: receipts between are missing");
    }

    @Test
    void shouldMissTheLastReceiptsWhenTheyAreGone() {
        // given
        give(4);

        // when
        vandalize("DELETE FROM receipt WHERE chain_number > 2");

        // then
        assertThat(faults())
                .containsExactly(
                        "chain of the receipts given: expected its end at number 4, found it at 2: receipts are"
                                + " missing");
    }

    @Test
    void shouldNameTheForkWhenANumberIsThereTwice() {
        // given
        give(2);
        ReceiptKey own = ReceiptKey.open(store.directory(), Disk.real(), CLOCK);

        // when
        commit(new LedgerChange.PutReceipt(row(Direction.INCOMING, signed(9, own, 2), NOW + 9)));

        // then
        assertThat(faults())
                .singleElement()
                .asString()
                .startsWith("file-9: sequence: expected one receipt of number 2, found another one: transfer ");
    }

    @Test
    void shouldNameTheReceiptWhenItsPredecessorIsAnother() {
        // given
        give(2);
        ReceiptKey own = ReceiptKey.open(store.directory(), Disk.real(), CLOCK);

        // when
        commit(new LedgerChange.PutReceipt(row(Direction.INCOMING, signed(3, own, 3, signed(1, own, 1)), NOW)));

        // then
        assertThat(faults())
                .singleElement()
                .asString()
                .startsWith("file-3: previous: expected SHA-256 ")
                .contains(" of receipt 2, found ");
    }

    @Test
    void shouldNameTheKeyWhenItIsNotTheAgents() {
        // given
        give(1);

        // when
        commit(new ReceiptSigner(OTHER).append(receipt(2, "s")));

        // then
        assertThat(faults())
                .singleElement()
                .asString()
                .startsWith("file-2: signature: expected one of key ")
                .endsWith("found one of key " + OTHER.fingerprint());
    }

    @Test
    void shouldGoOnWithTheChainAndSaySoWhenTheKeyFileIsRemoved() throws Exception {
        // given
        give(2);

        // when
        Files.delete(dir.resolve(ReceiptKey.FILE));
        ReceiptSigner signer = ReceiptSigner.open(store, CLOCK, notices::add);
        commit(signer.append(receipt(3, "s")));

        // then
        assertThat(notices).singleElement().asString().contains("from now on").contains("--trust");
        assertThat(faults()).isEmpty();
    }

    @Test
    void shouldNameTheReceiptWhenItsSignatureWasTakenOff() {
        // given
        give(3);

        // when
        vandalize("UPDATE receipt SET receipt = REGEXP_REPLACE(receipt, ',\"proof\".*', '}') WHERE chain_number = 2");

        // then
        assertThat(standings().get(1)).isEqualTo(ReceiptStanding.STRIPPED);
        assertThat(faults()).hasSize(2).first().asString().contains("file-2: signature: expected one of key");
    }

    @Test
    void shouldTakeReceiptsWithoutSignatureWhenNoneWasExpected() {
        // when
        take(receipt(1, "s"));

        // then
        assertThat(standings()).containsExactly(ReceiptStanding.UNSIGNED);
        assertThat(faults()).isEmpty();
    }

    @Test
    void shouldAllowGapsButNoForksAmongReceiptsTaken() {
        // given
        Receipt first = signed(1, KEY, 4);
        take(first);
        take(signed(2, KEY, 5, first));
        take(signed(3, KEY, 9));
        assertThat(faults()).isEmpty();

        // when
        take(signed(4, KEY, 9, first));

        // then
        assertThat(faults())
                .singleElement()
                .asString()
                .contains("sequence: expected one receipt of number 9 with this key, found another one");
    }

    @Test
    void shouldNameTheReceiptTakenWhenItDoesNotFollowItsNeighbour() {
        // given
        take(signed(1, KEY, 4));

        // when
        take(signed(2, KEY, 5));

        // then
        assertThat(faults()).singleElement().asString().startsWith("file-2: previous: expected SHA-256 ");
    }

    @Test
    void shouldAcceptAnotherKeyOnceAPersonHas() {
        // given
        commit(new LedgerChange.PutReceiptKey(new ReceiptKeyRow("climate.daily", "s", KEY.publicKey(), NOW)));
        take(signed(1, KEY, 1));
        take(signed(2, OTHER, 1));
        assertThat(standings()).containsExactly(ReceiptStanding.VALID, ReceiptStanding.OTHER_KEY);
        assertThat(faults())
                .containsExactly("file-2: signature: expected one of key " + KEY.fingerprint() + ", found one of key "
                        + OTHER.fingerprint());

        // when
        List<ReceiptKeyRow> accepted = ReceiptTrust.accept(store.ledger(), OTHER.fingerprint(), NOW + 60);

        // then
        assertThat(accepted).containsExactly(new ReceiptKeyRow("climate.daily", "s", OTHER.publicKey(), NOW + 60));
        assertThat(faults()).isEmpty();

        // and
        commit(new LedgerChange.PutReceipt(row(Direction.OUTGOING, signed(3, KEY, 2, signed(1, KEY, 1)), NOW + 70)));
        assertThat(faults())
                .containsExactly("file-3: signature: expected one of key " + OTHER.fingerprint() + ", found one of key "
                        + KEY.fingerprint());

        // and
        ReceiptTrust.accept(store.ledger(), KEY.fingerprint(), NOW + 80);
        assertThat(faults()).isEmpty();
    }
}
