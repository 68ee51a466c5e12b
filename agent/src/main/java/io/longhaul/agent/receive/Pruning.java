package io.longhaul.agent.receive;

import io.longhaul.agent.Retention;
import io.longhaul.agent.SubscribeRequest;
import io.longhaul.storage.Disk;
import io.longhaul.storage.LeaseRow;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.Seal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Removes what an archive is no longer to retain: files first, then what the ledger knows of them, so that a crash leaves
 * nothing that nobody remembers. Receipts stay. One call at a time.
 */
final class Pruning {
    private final Ledger ledger;
    private final Disk disk;
    private final Holdings holdings;
    private final Clock clock;
    private final SubscribeRequest archive;
    private final Retention retention;
    private final Unpromised unpromised;

    /** Takes the request of an archive. */
    Pruning(
            Ledger ledger,
            Disk disk,
            Holdings holdings,
            Clock clock,
            SubscribeRequest archive,
            Retention retention,
            Unpromised unpromised) {
        this.ledger = ledger;
        this.disk = disk;
        this.holdings = holdings;
        this.clock = clock;
        this.archive = archive;
        this.retention = retention;
        this.unpromised = unpromised;
    }

    /** What is kept and may go, without what is only read to find it. */
    private record Kept(long key, long sinceMillis, long order, long bytes) {
        static final Comparator<Kept> OLDEST_FIRST =
                Comparator.comparingLong(Kept::sinceMillis).thenComparing(Kept::order);
    }

    /** Removes what is due, oldest first; returns how many transfers that were. */
    int prune() {
        Set<String> promised =
                ledger.leases().stream().map(LeaseRow::transferId).collect(Collectors.toSet());
        List<Kept> oldestFirst =
                ledger.places(archive.topic(), archive.name(), Set.of(TransferState.RECEIPTED)).stream()
                        .flatMap(place -> ledger.transfer(place.key()).stream())
                        .filter(row -> isBelow(row) && !promised.contains(row.transferId()))
                        .map(row -> new Kept(row.key(), row.createdMillis(), row.order(), bytes(row)))
                        .sorted(Kept.OLDEST_FIRST)
                        .toList();
        long oldestMillis = clock.millis()
                - retention.longest().map(time -> time.toMillis()).orElse(Long.MAX_VALUE / 2);
        long bytes = oldestFirst.stream().mapToLong(Kept::bytes).sum();
        long mostBytes = retention.mostBytes().orElse(Long.MAX_VALUE);
        int pruned = 0;
        for (Kept kept : oldestFirst) {
            boolean isDue = kept.sinceMillis() < oldestMillis || bytes > mostBytes;
            if (isDue && ledger.transfer(kept.key()).filter(this::remove).isPresent()) {
                bytes -= kept.bytes();
                pruned++;
            }
        }
        return pruned;
    }

    /** The directory that files were put into, by its own name, whatever leads to it. */
    private static Path root(TransferRow row) {
        return Path.of(IncomingDetail.parse(row.detail()).into());
    }

    /** What was delivered before this subscription was an archive is none of ours. */
    private static boolean isBelow(TransferRow row) {
        return !row.path().isEmpty() && Path.of(row.path()).startsWith(root(row).resolve(row.transferId()));
    }

    private static long bytes(TransferRow row) {
        return FrameCodec.fromJson(row.seal().getBytes(StandardCharsets.UTF_8), Seal.class)
                .length();
    }

    private boolean remove(TransferRow row) {
        return unpromised.run(row.transferId(), () -> {
            holdings.release(row);
            disk.deleteTree(root(row).resolve(row.transferId()));
            disk.syncDirectory(root(row));
            ledger.commit(List.of(new LedgerChange.DeleteTransfer(row.key()))).join();
        });
    }
}
