package io.longhaul.agent.receipt;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.storage.Direction;
import io.longhaul.storage.Disk;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.ReceiptKeyRow;
import io.longhaul.storage.Store;
import io.longhaul.storage.StoreConfig;
import io.longhaul.storage.ledger.LedgerVandal;
import io.longhaul.wire.Receipt;
import io.longhaul.wire.ReceiptSignature;
import io.longhaul.wire.TransferId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A ledger whose receipts are audited. */
final class AuditedLedger implements AutoCloseable {
    static final long NOW = 1_700_000_000_000L;
    static final StoreConfig CONFIG = new StoreConfig(4096, 64 * 1024, Long.MAX_VALUE, 0);
    static final Clock CLOCK = Clock.fixed(Instant.ofEpochMilli(NOW), ZoneOffset.UTC);
    static final ReceiptKey KEY = ReceiptKey.generate();
    static final ReceiptKey OTHER = ReceiptKey.generate();

    final List<String> notices = new ArrayList<>();
    private final Path directory;
    private Store store;

    AuditedLedger(Path directory) {
        this.directory = directory;
        this.store = Store.open(directory, CONFIG, Disk.real());
    }

    @Override
    public void close() {
        store.close();
    }

    Store store() {
        return store;
    }

    /** Changes it behind its back. */
    void vandalize(String sql) {
        store.close();
        LedgerVandal.run(directory, sql);
        store = Store.open(directory, CONFIG, Disk.real());
    }

    /** Loses what came since the last opening but one, as a killed process does whose journal is gone. */
    void loseJournal() throws IOException {
        Path journal = directory.resolve("ledger.mv.db.journal");
        byte[] killed = Files.readAllBytes(directory.resolve("ledger.mv.db"));
        store.close();
        Files.write(directory.resolve("ledger.mv.db"), killed);
        Files.delete(journal);
        store = Store.open(directory, CONFIG, Disk.real());
        assertThat(Store.damage(directory)).isNotEmpty();
    }

    void commit(LedgerChange... changes) {
        store.ledger().commit(List.of(changes)).join();
    }

    static Receipt receipt(int number, String subscription) {
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
    void give(int count) {
        ReceiptSigner signer = ReceiptSigner.open(store, CLOCK, notices::add);
        for (int number = 1; number <= count; number++) {
            commit(signer.append(receipt(number, number % 2 == 0 ? "even" : "odd")));
        }
    }

    List<String> faults() {
        List<String> faults = new ArrayList<>();
        faults.addAll(ReceiptAudit.run(
                store.ledger(), each -> each.faults().forEach(fault -> faults.add(path(each) + ": " + fault))));
        return faults;
    }

    List<AuditedReceipt> receipts() {
        List<AuditedReceipt> receipts = new ArrayList<>();
        ReceiptAudit.run(store.ledger(), receipts::add);
        return receipts;
    }

    private static String path(AuditedReceipt audited) {
        return audited.receipt().map(Receipt::path).orElse("unreadable");
    }

    List<ReceiptStanding> standings() {
        return receipts().stream().map(AuditedReceipt::standing).toList();
    }

    static Receipt signed(int number, ReceiptKey key, long sequence, Receipt... before) {
        String previous = before.length == 0 ? ReceiptSignature.NO_PREVIOUS : ReceiptSignature.hash(before[0]);
        return ReceiptSignature.sign(receipt(number, "s"), sequence, previous, key.keys());
    }

    /** As a publisher does, which keeps the key of the first one with it. */
    void take(Receipt receipt) {
        receipt.proof()
                .filter(proof -> store.ledger()
                        .receiptKeys(receipt.topic(), receipt.subscription())
                        .isEmpty())
                .ifPresent(proof -> commit(new LedgerChange.PutReceiptKey(
                        new ReceiptKeyRow(receipt.topic(), receipt.subscription(), proof.key(), NOW))));
        commit(new LedgerChange.PutReceipt(ReceiptSigner.row(Direction.OUTGOING, receipt, NOW + 50)));
    }
}
