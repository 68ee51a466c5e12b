package io.longhaul.agent.publish;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.Job;
import io.longhaul.agent.Publication;
import io.longhaul.agent.PublishRequest;
import io.longhaul.agent.TransferEnd;
import io.longhaul.agent.receipt.ReceiptDesk;
import io.longhaul.storage.Direction;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.Receipt;
import io.longhaul.wire.ReceiptSignature;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The publishing half of an agent: every outgoing transfer of one ledger.
 *
 * <p>A few publications go out at once, the others wait their turn. May be used from any thread.
 */
public final class Publisher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);
    private static final long CLOSE_NS = 3_000_000_000L;
    private static final Set<TransferState> GIVEN_UP = Set.of(TransferState.FAILED, TransferState.CANCELLED);

    private final PublisherContext context;
    private final Publishing publishing;
    private final Starter starter;
    private final ReceiptDesk desk;
    private final Untold untold; // guarded by this
    private final Running running = new Running(); // guarded by this
    private final Map<String, Outgoing> dormant = new LinkedHashMap<>(); // by transfer; guarded by this
    private @Nullable Map<String, TransferRow> unfinished; // by transfer; guarded by this; null until looked for
    private boolean closed; // guarded by this

    public Publisher(PublisherContext context) {
        this.context = context;
        this.untold = Untold.open(context.ledger());
        this.publishing = Publishing.of(context, untold.session());
        this.starter = new Starter(publishing);
        this.desk = new ReceiptDesk(context.ledger(), context.platform().notices());
    }

    /**
     * Starts to publish, or goes on with an unfinished transfer of the same source, topic and name; when its source has
     * changed since, that one is given up and a new one begins. One that was completed just before a session ended without
     * its close, or in a job that was not over, is told of once more instead, when its source has not changed, or is gone but was
     * spooled.
     *
     * <p>Throws {@link AgentException} of code USAGE for a wrong request; everything else fails the publication.
     */
    public Publication publish(PublishRequest request) {
        Outgoing kept = withoutSource(request);
        if (kept != null) {
            return kept;
        }
        Intake intake = Intake.of(request, context.bounds().slotBytes());
        synchronized (this) {
            requireOpen();
            if (intake.kind() == OutgoingDetail.Kind.STREAM) {
                goOnBefore(intake);
            } else {
                Outgoing same = sameAs(intake);
                if (same != null) {
                    return same;
                }
            }
            Outgoing outgoing = enlist(new Outgoing(publishing, intake.begin(context), List.of(), this::over));
            starter.start(outgoing, request.stream());
            return outgoing;
        }
    }

    /** Returns the unfinished transfer of a source that is gone but was read to its end; null when there is none. */
    private synchronized @Nullable Outgoing withoutSource(PublishRequest request) {
        requireOpen();
        if (request.source().isEmpty() || Files.exists(request.source().get(), LinkOption.NOFOLLOW_LINKS)) {
            return null;
        }
        String sameness = Intake.sameness(request.source().get(), request);
        for (Outgoing outgoing : running.same(sameness)) {
            if (outgoing.seal() != null && !outgoing.halt().isForGood()) {
                requireReceipts(outgoing, request);
                return outgoing;
            }
        }
        for (TransferRow row : List.copyOf(unfinished().values())) {
            boolean same = Intake.sameness(row).equals(sameness) && !row.seal().isEmpty();
            if (same && !dormant(row).halt().isForGood()) {
                dormant(row).record().awaitReceipts(request);
                return goOn(row);
            }
        }
        return completed(sameness, request, Optional.empty());
    }

    /**
     * Goes on with streams of the same topic and name that a killed process left: one that was read to its end is sent before
     * the new one, another ends here, so that neither spool nor subscribers keep what nobody can complete.
     */
    private void goOnBefore(Intake stream) {
        List.copyOf(unfinished().values()).stream()
                .filter(row -> Intake.sameness(row).equals(stream.sameness()))
                .forEach(this::goOn);
    }

    /** Returns the transfer that a request goes on with, or that answers it; null when there is none. */
    private @Nullable Outgoing sameAs(Intake intake) {
        for (Outgoing outgoing : running.same(intake.sameness())) {
            if (isStillWanted(outgoing, intake)) {
                requireReceipts(outgoing, intake.request());
                return outgoing;
            }
        }
        for (TransferRow row : List.copyOf(unfinished().values())) {
            if (Intake.sameness(row).equals(intake.sameness())) {
                Outgoing outgoing = enlist(dormant(row));
                if (isStillWanted(outgoing, intake)) {
                    outgoing.record().awaitReceipts(intake.request());
                    starter.start(outgoing, Optional.empty());
                    return outgoing;
                }
                // Does nothing for one that was given up.
                starter.start(outgoing, Optional.empty());
            }
        }
        return completed(intake.sameness(), intake.request(), Optional.of(intake.stat()));
    }

    /** Who asks for more than it waits for would be told of an end without them; its receipts may be lost already. */
    private static void requireReceipts(Outgoing outgoing, PublishRequest request) {
        OutgoingDetail.Origin awaited = outgoing.record().detail().origin();
        boolean isMore =
                request.receipts() > awaited.receipts() || !awaited.awaited().containsAll(request.awaited());
        if (isMore) {
            throw new AgentException(
                    AgentException.Code.REFUSED,
                    outgoing.what() + " is on its way already and ends with " + awaited.receipts() + " receipts"
                            + OutgoingDetail.whose(awaited.awaited()) + ": expected at most these, found a request for "
                            + request.receipts() + OutgoingDetail.whose(request.awaited()));
        }
    }

    /**
     * Returns a transfer that was completed and of which nobody may have been told; null when there is none.
     *
     * @param now what the source is; empty when it is gone, as that of a spooled transfer may be
     */
    private @Nullable Outgoing completed(String sameness, PublishRequest request, Optional<SourceStat> now) {
        unfinished(); // reads what the ledger has
        TransferRow row = untold.find(sameness);
        if (row == null) {
            return null;
        }
        Outgoing outgoing = new Outgoing(
                publishing, OutgoingRecord.found(context.ledger(), row), receiptsOf(row.transferId()), this::over);
        boolean same = now.map(stat -> new Likeness(context.ledger(), outgoing)
                        .difference(stat)
                        .isEmpty())
                .orElse(outgoing.record().detail().origin().spool());
        if (same && outgoing.hasReceipts(request)) {
            untold.take(sameness);
            outgoing.recall();
            return outgoing;
        }
        if (now.isPresent()) {
            untold.supersede(sameness);
        }
        return null;
    }

    /**
     * Whether the transfer is of what the source is now. One that is not is given up, unless receivers know of it and it
     * can end without its source: then it is the older one of its name, which the newer one replaces there.
     */
    private boolean isStillWanted(Outgoing outgoing, Intake intake) {
        if (outgoing.halt().isForGood()) {
            return false; // though its end is not recorded yet
        }
        Likeness likeness = new Likeness(context.ledger(), outgoing);
        String difference = likeness.difference(intake.stat());
        if (!difference.isEmpty()
                && !(likeness.isRead() && outgoing.record().detail().announced())) {
            outgoing.halt(new SourceException(
                    "source " + SourceNames.shown(intake.path()) + " changed since the transfer began: " + difference));
        }
        return difference.isEmpty();
    }

    private Outgoing goOn(TransferRow row) {
        Outgoing outgoing = enlist(dormant(row));
        starter.start(outgoing, Optional.empty());
        return outgoing;
    }

    /** Returns the handle of a row that does not run. */
    private Outgoing dormant(TransferRow row) {
        return dormant.computeIfAbsent(
                row.transferId(),
                transfer -> new Outgoing(
                        publishing, OutgoingRecord.found(context.ledger(), row), receiptsOf(transfer), this::over));
    }

    private Outgoing enlist(Outgoing outgoing) {
        dormant.remove(outgoing.transfer());
        unfinished().remove(outgoing.transfer());
        running.add(outgoing);
        return outgoing;
    }

    private List<Receipt> receiptsOf(String transfer) {
        return context.ledger().receipts(Direction.OUTGOING, transfer).stream()
                .map(row -> FrameCodec.fromJson(row.receipt().getBytes(StandardCharsets.UTF_8), Receipt.class))
                .toList();
    }

    /** Goes on with every unfinished transfer, and finishes to tell receivers of those that were given up. */
    public List<Publication> resumeAll() {
        List<Publication> resumed;
        synchronized (this) {
            requireOpen();
            resumed = new ArrayList<>(running.all());
            for (TransferRow row : List.copyOf(unfinished().values())) {
                resumed.add(goOn(row));
            }
        }
        context.ledger().forEachOutgoing(GIVEN_UP, this::tellIfGivenUp);
        return resumed;
    }

    private void tellIfGivenUp(TransferRow row) {
        if (OutgoingDetail.parse(row.detail()).cancelDue()) {
            OutgoingRecord record = OutgoingRecord.found(context.ledger(), row);
            context.platform().executor().execute(() -> Finale.tell(publishing, record));
        }
    }

    /** Goes on with one unfinished transfer; returns its handle, also when it runs already. */
    public synchronized Optional<Publication> resume(String transfer) {
        requireOpen();
        Outgoing outgoing = running.of(transfer);
        TransferRow row = unfinished().get(transfer);
        if (outgoing == null && row != null) {
            outgoing = goOn(row);
        }
        return Optional.ofNullable(outgoing);
    }

    /**
     * Returns a handle of a running or unfinished transfer. An unfinished one that does not run can be cancelled through
     * it, but does not go on.
     */
    public synchronized Optional<Publication> find(String transfer) {
        requireOpen();
        Outgoing outgoing = running.of(transfer);
        TransferRow row = unfinished().get(transfer);
        if (outgoing == null && row != null) {
            outgoing = dormant(row);
        }
        return Optional.ofNullable(outgoing);
    }

    /** Returns how a transfer that the ledger knows has ended; nothing when it is not over. */
    public Optional<TransferEnd> endOf(String transfer) {
        return context.ledger()
                .transfer(Direction.OUTGOING, transfer, "")
                .filter(row -> row.state().isEnded())
                .map(row -> row.state() == TransferState.COMPLETED ? TransferEnd.COMPLETED : TransferEnd.FAILED);
    }

    /**
     * Takes in a receipt: that of a transfer of this ledger is durable when this returns; one that was in before, by
     * transfer and subscription, changes nothing. Receipts of one subscription must come one after the other.
     *
     * @return whether it may count anywhere: one with a wrong signature must not
     */
    public boolean receipt(Receipt receipt) {
        String transfer = receipt.transfer().toString();
        boolean known = handle(transfer) != null
                || context.ledger().transfer(Direction.OUTGOING, transfer, "").isPresent();
        if (!known) {
            return receipt.proof().isEmpty() || ReceiptSignature.holds(receipt);
        }
        ReceiptDesk.Verdict verdict =
                desk.judge(receipt, context.platform().clock().millis());
        PatientCommit.join(context.ledger().commit(verdict.changes()));
        Outgoing outgoing = handle(transfer);
        if (outgoing != null && verdict.counts()) {
            outgoing.receipt(receipt);
        }
        return verdict.counts();
    }

    /** Returns the handle of a transfer that runs, or of one that somebody has looked at and may go on with. */
    private synchronized @Nullable Outgoing handle(String transfer) {
        Outgoing outgoing = running.of(transfer);
        return outgoing == null ? dormant.get(transfer) : outgoing;
    }

    /** Returns the unfinished transfers that do not run. The caller holds the monitor. */
    private Map<String, TransferRow> unfinished() {
        Map<String, TransferRow> known = unfinished;
        if (known != null) {
            return known;
        }
        Map<String, TransferRow> found = new LinkedHashMap<>();
        context.ledger().forEachOutgoing(TransferState.UNFINISHED_OUTGOING, row -> found.put(row.transferId(), row));
        untold.look();
        unfinished = found;
        return found;
    }

    private synchronized void over(Outgoing outgoing) {
        publishing.precedence().remove(outgoing);
        running.remove(outgoing);
        dormant.remove(outgoing.transfer(), outgoing);
        TransferRow row = outgoing.record().row();
        unfinished().remove(row.transferId());
        if (outgoing.record().isKept()) {
            unfinished().put(row.transferId(), row);
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new AgentException(AgentException.Code.INTERRUPTED, "the agent is closed");
        }
    }

    /**
     * Stops: publications fail with code INTERRUPTED and can go on at the next start. Waits a few seconds for their
     * threads; one that is stuck inside the link or a stream leaves when that is closed, and is waited for by calling
     * this again.
     */
    @Override
    public void close() {
        List<Outgoing> open;
        synchronized (this) {
            closed = true;
            publishing.precedence().close();
            open = running.all();
        }
        open.forEach(outgoing -> outgoing.halt(Halted.closing()));
        long deadlineNs = context.platform().nanoTime().getAsLong() + CLOSE_NS;
        for (Outgoing outgoing : open) {
            awaitEnd(outgoing, deadlineNs - context.platform().nanoTime().getAsLong());
        }
    }

    /**
     * Notes, after the close, that whoever published was told of what was completed, or will not ask; but for a job that is
     * not over, which will be given again.
     */
    public synchronized void endSession() {
        if (context.job().map(Job::isOver).orElse(true)) {
            untold.close();
        }
    }

    private static void awaitEnd(Outgoing outgoing, long patienceNs) {
        try {
            outgoing.result().get(Math.max(0, patienceNs), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("{} at the close: {}", outgoing.what(), e.toString());
        }
    }
}
