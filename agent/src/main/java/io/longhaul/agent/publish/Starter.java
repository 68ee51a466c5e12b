package io.longhaul.agent.publish;

import io.longhaul.storage.StorageException;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Seal;
import java.io.InputStream;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Starts the runs that bring an outgoing transfer from where it is to its end. May be used from any thread. */
final class Starter {
    private final Publishing publishing;
    /** Without a limit: who writes into several streams by turns would wait for ever while one of them is not read. */
    private final Lane streams;

    Starter(Publishing publishing) {
        this.publishing = publishing;
        this.streams = new Lane(publishing.context().platform().executor(), Integer.MAX_VALUE);
    }

    void start(Outgoing outgoing, Optional<InputStream> stream) {
        OutgoingRecord record = outgoing.record();
        OutgoingDetail detail = record.detail();
        if (outgoing.isResumed()) {
            outgoing.tally().recall(publishing.context().ledger(), record, outgoing.seal());
        }
        if (!detail.origin().spool() || record.row().state() == TransferState.SENT) {
            publishing.send(outgoing, new DirectRun(publishing, outgoing));
            return;
        }
        SpoolTide tide = new SpoolTide();
        SpoolSender sender = new SpoolSender(publishing, outgoing, tide);
        if (detail.spooled() && (record.row().path().isEmpty() || isWhole(outgoing))) {
            tide.full(sealedPieces(outgoing));
            sender.signal();
            return;
        }
        ReadAhead.Source source = cutter ->
                stream.isPresent() ? new StreamFragments(cutter, stream.get()) : Sources.open(outgoing, cutter);
        Lane lane = stream.isPresent() ? streams : publishing.spooling();
        lane.submit(new SpoolRun(publishing, outgoing, source, tide, sender::signal));
    }

    /** Whether the ledger still has every piece; those found damaged in the spool were forgotten. */
    private boolean isWhole(Outgoing outgoing) {
        AtomicLong found = new AtomicLong();
        long key = outgoing.record().row().key();
        publishing.context().ledger().forEachPiece(key, piece -> found.incrementAndGet());
        return found.get() == sealedPieces(outgoing);
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
