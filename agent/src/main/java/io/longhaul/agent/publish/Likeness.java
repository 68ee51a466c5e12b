package io.longhaul.agent.publish;

import io.longhaul.storage.EntryRow;
import io.longhaul.storage.Ledger;
import io.longhaul.wire.EntryCodec;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** Whether an unfinished transfer still is what a new request of the same source, topic and name asks for. */
final class Likeness {
    private final Ledger ledger;
    private final Outgoing outgoing;
    private final OutgoingRecord record;

    Likeness(Ledger ledger, Outgoing outgoing) {
        this.ledger = ledger;
        this.outgoing = outgoing;
        this.record = outgoing.record();
    }

    /** Returns what differs in the source by now; empty when nothing does. */
    String difference(SourceStat now) {
        OutgoingDetail.Origin origin = record.detail().origin();
        String difference = origin.identity().difference(now.identity());
        if (difference.isEmpty() && record.manifest().mode() != now.permissions()) {
            return "its mode was changed";
        }
        // A tree that is being read is compared piece by piece; one that was read is not read again.
        boolean compare = difference.isEmpty() && origin.kind() == OutgoingDetail.Kind.TREE && isRead();
        return compare ? treeDifference(now) : difference;
    }

    /** Whether all of the source was read, so that the transfer goes on whatever became of it. */
    boolean isRead() {
        return outgoing.seal() != null;
    }

    private String treeDifference(SourceStat now) {
        long key = record.row().key();
        try {
            Path top = Sources.real(Path.of(record.row().path()));
            TreeWalk walk = new TreeWalk(top, now, record.detail().origin().symlinks());
            long number = 0;
            for (TreeWalk.Node node = walk.next(); node != null; node = walk.next()) {
                Optional<EntryRow> before = ledger.entry(key, number);
                byte[] encoded = EntryCodec.encode(node.entry(number));
                if (before.isEmpty() || !Arrays.equals(before.get().encoded(), encoded)) {
                    return SourceNames.shown(node.path()) + " is another now";
                }
                number++;
            }
            return ledger.entry(key, number).isPresent() ? "names are gone" : "";
        } catch (SourceException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
