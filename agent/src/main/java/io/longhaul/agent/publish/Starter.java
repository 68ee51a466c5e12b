package io.longhaul.agent.publish;

import io.longhaul.storage.StorageException;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Seal;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Starts the runs that bring an outgoing transfer from where it is to its end. May be used from any thread. */
final class Starter {
    private static final int LOOKS = 2;

    private final Publishing publishing;
    /** Without a limit: who writes into several streams by turns would wait for ever while one of them is not read. */
    private final Lane streams;
    /** Looks at what the spool has: who waits for room in it waits for those that are sent from it. */
    private final Lane looks;

    Starter(Publishing publishing) {
        this.publishing = publishing;
        this.streams = new Lane(publishing.context().platform().executor(), Integer.MAX_VALUE);
        this.looks = new Lane(publishing.context().platform().executor(), LOOKS);
    }

    /** Begins to; reads nothing of the transfer's pieces, which may be many, as the caller holds up others. */
    void start(Outgoing outgoing, Optional<InputStream> stream) {
        publishing.precedence().add(outgoing);
        OutgoingRecord record = outgoing.record();
        OutgoingDetail detail = record.detail();
        if (!detail.origin().spool() || record.row().state() == TransferState.SENT) {
            publishing.send(outgoing, new DirectRun(publishing, outgoing));
            return;
        }
        SpoolTide tide = new SpoolTide();
        SpoolSender sender = new SpoolSender(publishing, outgoing, tide);
        if (stream.isPresent()) {
            ReadAhead.Source source = cutter -> new StreamFragments(cutter, stream.get());
            streams.submit(new SpoolRun(publishing, outgoing, source, tide, sender::signal));
        } else if (detail.spooled()) {
            looks.submit(() -> {
                if (outgoing.enter()) {
                    outgoing.leave(DirectRun.failureOf(() -> goOn(outgoing, tide, sender)));
                }
            });
        } else {
            fill(outgoing, tide, sender, cutter -> Sources.open(outgoing, cutter));
        }
    }

    /** Sends what is in the spool; what is missing there is read from the source again, which is needed until then. */
    private void goOn(Outgoing outgoing, SpoolTide tide, SpoolSender sender) {
        boolean isStream = outgoing.record().row().path().isEmpty();
        long lost = isStream ? 0 : sealedPieces(outgoing) - kept(outgoing);
        if (lost == 0) {
            outgoing.sourceMayGo();
            tide.full(sealedPieces(outgoing));
            sender.signal();
        } else {
            outgoing.record().saveLater(List.of(), OutgoingDetail::withoutSpooled);
            fill(outgoing, tide, sender, cutter -> openAgain(outgoing, cutter, lost));
        }
    }

    /** Who was told that the source may go is told why it is needed again. */
    private static Fragments openAgain(Outgoing outgoing, Cutter cutter, long lost) {
        try {
            return Sources.open(outgoing, cutter);
        } catch (SourceException e) {
            throw new SourceException(
                    lost + (lost == 1 ? " piece" : " pieces")
                            + " of what was spooled cannot be had from the spool any more; " + e.getMessage(),
                    e);
        }
    }

    private void fill(Outgoing outgoing, SpoolTide tide, SpoolSender sender, ReadAhead.Source source) {
        publishing.spooling().submit(new SpoolRun(publishing, outgoing, source, tide, sender::signal));
    }

    /** Returns how many pieces the ledger still has; those found damaged in the spool were forgotten. */
    private long kept(Outgoing outgoing) {
        AtomicLong found = new AtomicLong();
        long key = outgoing.record().row().key();
        publishing.context().ledger().forEachPiece(key, piece -> found.incrementAndGet());
        return found.get();
    }

    private static long sealedPieces(Outgoing outgoing) {
        Seal known = outgoing.seal();
        if (known == null) {
            throw new StorageException(
                    StorageException.Code.DAMAGED, outgoing.what() + ": expected a seal in the ledger, found none");
        }
        return known.pieces();
    }
}
