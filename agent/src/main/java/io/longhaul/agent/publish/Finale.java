package io.longhaul.agent.publish;

import io.longhaul.agent.PublishRequest;
import io.longhaul.agent.link.Link;
import io.longhaul.agent.link.LinkException;
import io.longhaul.agent.link.OfferListener;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.PieceRow;
import io.longhaul.storage.StorageException;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.Cancel;
import io.longhaul.wire.Manifest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings ledger, spool and receivers up to date with the end of a publication that did not succeed. */
final class Finale {
    private static final Logger LOG = LoggerFactory.getLogger(Finale.class);
    private static final int BATCH = 1_000;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Publishing publishing;
    private final Outgoing outgoing;
    private final OutgoingRecord record;

    Finale(Publishing publishing, Outgoing outgoing) {
        this.publishing = publishing;
        this.outgoing = outgoing;
        this.record = outgoing.record();
    }

    /**
     * Does what the verdict asks for; completes when the network knows, or after a while. A failure of the ledger here
     * leaves the transfer to a later run.
     */
    CompletableFuture<Void> play(Ending ending) {
        CompletableFuture<Void> played = CompletableFuture.completedFuture(null);
        if (!record.isBegun()) {
            return played;
        }
        try {
            switch (ending.verdict()) {
                case KEEP ->
                    Outgoing.join(record.retire(
                            outgoing.acks().last(),
                            detail -> detail.withCounters(outgoing.tally().counters())));
                case FORGET -> Outgoing.join(record.forget());
                case FAIL -> played = giveUp(TransferState.FAILED, ending);
                case CANCEL -> played = giveUp(TransferState.CANCELLED, ending);
            }
        } catch (StorageException e) {
            if (e.code() == StorageException.Code.CLOSED) {
                LOG.debug("{}: ended after the ledger", outgoing.what(), e);
            } else {
                LOG.warn("{}: its end could not be recorded: {}", outgoing.what(), e.getMessage());
            }
        }
        return played;
    }

    private CompletableFuture<Void> giveUp(TransferState state, Ending ending) {
        boolean heardOf = outgoing.offers().isAnnouncing() || record.detail().announced() || outgoing.isResumed();
        String reason = String.valueOf(ending.exception().getMessage());
        List<LedgerChange> last = outgoing.acks().last();
        Outgoing.join(record.move(
                state,
                record.row().seal(),
                last,
                detail -> detail.withEnd(heardOf, reason)
                        .withCounters(outgoing.tally().counters())));
        if (record.detail().origin().spool()) {
            freeSpool();
        }
        return heardOf ? tell(publishing, record) : CompletableFuture.completedFuture(null);
    }

    /** Gives the spool its slots back. */
    private void freeSpool() {
        long key = record.row().key();
        List<PieceRow> kept = new ArrayList<>();
        publishing.context().ledger().forEachPiece(key, piece -> {
            if (piece.spoolPosition() >= 0) {
                kept.add(piece);
            }
        });
        for (int from = 0; from < kept.size(); from += BATCH) {
            List<PieceRow> freed = kept.subList(from, Math.min(from + BATCH, kept.size())).stream()
                    .map(piece -> new PieceRow(
                            piece.index(),
                            piece.kind(),
                            piece.entry(),
                            piece.offset(),
                            piece.length(),
                            piece.crc32c(),
                            piece.safe(),
                            -1))
                    .toList();
            Outgoing.join(publishing.context().ledger().commit(List.of(new LedgerChange.PutPieces(key, freed))));
        }
    }

    /** Tells receivers; completes when the network has it, or after a while: what comes later is noted when it comes. */
    static CompletableFuture<Void> tell(Publishing publishing, OutgoingRecord record) {
        Manifest manifest = record.manifest();
        Cancel cancel = new Cancel(manifest.transfer(), record.detail().reason());
        CompletableFuture<Void> told = new CompletableFuture<>();
        OfferListener outcome = new OfferListener() {
            @Override
            public void safe() {
                record.cancelled();
                told.complete(null);
            }

            @Override
            public void refused(LinkException reason) {
                if (reason.code() == LinkException.Code.NO_SUBSCRIPTION) {
                    record.cancelled();
                }
                told.complete(null);
            }
        };
        // On a thread of its own: during an outage the link may have no room for it.
        publishing.context().platform().executor().execute(() -> {
            try {
                Link link = publishing.context().link();
                // before the pieces that wait for whoever is away: what is given up is not to be delivered
                link.offer(
                        Addresses.topic(manifest.topic()),
                        cancel,
                        manifest.transfer() + "/cancel",
                        PublishRequest.MOST_PRIORITY,
                        outcome);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                told.complete(null);
            } catch (LinkException e) {
                LOG.debug("cancel of {} not sent", manifest.transfer(), e);
                told.complete(null);
            }
        });
        publishing.context().platform().delay().call(PATIENCE, () -> told.complete(null));
        return told;
    }
}
