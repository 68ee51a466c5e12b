package io.longhaul.agent.publish;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.Failures;
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
import org.slf4j.event.Level;

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
     * Does what the verdict asks for; completes when the network knows, or after a while, with what the caller is told. A
     * failure of the ledger here leaves the transfer to a later run.
     */
    CompletableFuture<AgentException> play(Ending ending) {
        AgentException told = ending.exception();
        try {
            if (record.isBegun()) {
                return play(ending.verdict(), ending).thenApply(nothing -> told);
            }
        } catch (StorageException e) {
            return CompletableFuture.completedFuture(unrecorded(ending, e));
        } catch (RuntimeException e) {
            told.addSuppressed(e);
        }
        return CompletableFuture.completedFuture(told);
    }

    private CompletableFuture<Void> play(Ending.Verdict verdict, Ending ending) {
        switch (verdict) {
            case KEEP ->
                PatientCommit.join(record.retire(
                        outgoing.acks().last(),
                        detail -> detail.withCounters(outgoing.tally().counters())));
            case FORGET -> PatientCommit.join(record.forget());
            case FAIL -> {
                return giveUp(TransferState.FAILED, ending);
            }
            case CANCEL -> {
                return giveUp(TransferState.CANCELLED, ending);
            }
        }
        return CompletableFuture.completedFuture(null);
    }

    /** What is kept goes on in any case; who gave it up must know that it goes on, too. */
    private AgentException unrecorded(Ending ending, StorageException why) {
        if (ending.verdict() == Ending.Verdict.KEEP) {
            LOG.atLevel(why.code() == StorageException.Code.CLOSED ? Level.DEBUG : Level.WARN)
                    .log("{}: how far it is could not be recorded: {}", outgoing.what(), why.getMessage());
            return ending.exception();
        }
        AgentException failure = new AgentException(
                Failures.translate(why).code(),
                ending.exception().getMessage()
                        + "; the ledger could not be told, so that it goes on at the next start: " + why.getMessage(),
                why);
        failure.addSuppressed(ending.exception());
        return failure;
    }

    private CompletableFuture<Void> giveUp(TransferState state, Ending ending) {
        boolean heardOf = outgoing.offers().isAnnouncing() || record.detail().announced() || outgoing.isResumed();
        String reason = String.valueOf(ending.exception().getMessage());
        List<LedgerChange> last = outgoing.acks().last();
        PatientCommit.join(record.move(
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
        try {
            freePieces();
        } catch (StorageException e) {
            // the end is recorded, and the next open of the store gives back what is left of it in the spool
            LOG.warn("{}: its room in the spool is not free yet: {}", outgoing.what(), e.getMessage());
        }
    }

    private void freePieces() {
        long key = record.row().key();
        List<PieceRow> kept = new ArrayList<>();
        publishing.context().ledger().forEachPiece(key, piece -> {
            if (piece.spoolPosition() >= 0) {
                kept.add(piece);
            }
        });
        for (int from = 0; from < kept.size(); from += BATCH) {
            List<PieceRow> freed = kept.subList(from, Math.min(from + BATCH, kept.size())).stream()
                    .map(PieceRow::withoutSlot)
                    .toList();
            PatientCommit.join(publishing.context().ledger().commit(List.of(new LedgerChange.PutPieces(key, freed))));
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
