package io.longhaul.agent.receive;

import io.longhaul.agent.SubscribeRequest;
import io.longhaul.agent.SubscriptionListener;
import io.longhaul.agent.link.Inflow;
import io.longhaul.storage.Direction;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.StorageException;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Frame;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** One subscription's parts, put together; whoever owns it gives it threads. */
final class Pipeline {
    private static final int INBOX_FRAMES = 32;
    /** Longer than a batch takes to become durable on a busy disk, shorter than a holder may be silent. */
    private static final Duration INBOX_PATIENCE = Duration.ofSeconds(2);

    private static final int LEAST_BATCHES_IN_HEAP = 16;
    /** How long a transfer waits for its manifest: one that was published before its subscription may wait in vain. */
    private static final Duration MANIFEST_WITHIN = Duration.ofDays(30);
    /** What a start may find something to do for; the rest has ended, and may be all that ever came. */
    private static final Set<TransferState> DUE = Set.of(
            TransferState.RECEIVING,
            TransferState.COMPLETE,
            TransferState.PLACING,
            TransferState.DELIVERED,
            TransferState.FAILED);

    private final ReceiverContext context;
    private final SubscribeRequest request;
    private final Machinery machinery;
    private final Receipts receipts;
    private final IncomingTransfers transfers;
    private final Finisher finisher;
    private final CatchUp catchUp;
    private final ReceiveLoop loop;
    private final Set<String> leased = new HashSet<>();
    private final Inbox inbox = new Inbox(INBOX_FRAMES, INBOX_PATIENCE);

    /** What runs the parts: an executor a role, each one thread or none; how to wait; whether to stop. */
    record Machinery(
            Executor syncer,
            Executor finisher,
            Executor announcer,
            Executor outbox,
            Patience.Sleeper sleeper,
            BooleanSupplier closing,
            Consumer<Throwable> failed) {}

    Pipeline(
            ReceiverContext context,
            SubscribeRequest request,
            SubscriptionListener listener,
            TargetDirectory target,
            Inflow inflow,
            Machinery machinery) {
        this.context = context;
        this.request = request;
        this.machinery = machinery;
        Announcer announcer = new Announcer(
                machinery.announcer(),
                listener,
                "the listener of subscription " + request.name() + " of topic " + request.topic());
        Outbox outbox = new Outbox(machinery.outbox(), context.link());
        Patience patience = new Patience(announcer, machinery.sleeper());
        this.receipts = new Receipts(context, outbox, announcer);
        this.transfers = new IncomingTransfers(context, request, target, announcer);
        Placement placement = new Placement(context, request);
        this.finisher = new Finisher(context, machinery.finisher(), patience, announcer, receipts, placement, events());
        SpaceGuard space = new SpaceGuard(context.disk(), target.root(), context.floorBytes());
        Intake intake = new Intake(context, transfers, space, announcer, receipts, finisher::submit);
        Repairs repairs = new Repairs(context, transfers, outbox, announcer);
        SecureRandom random = new SecureRandom();
        Optional<CatchUpStart> start = CatchUpStart.of(request, context.ledger(), context.clock());
        start.filter(CatchUpStart::kept)
                .ifPresent(kept -> announcer.notice("goes on to catch up with topic " + request.topic() + " since "
                        + kept.time() + ", as asked for at an earlier start"));
        this.catchUp = new CatchUp(
                context, transfers, intake, outbox, announcer, random, new CatchUp.Wanted(request.name(), start));
        ManifestAsker manifests = new ManifestAsker(context, transfers, outbox, announcer, request.name(), random);
        this.loop = new ReceiveLoop(
                context,
                new ReceiveLoop.Parts(
                        inflow,
                        intake,
                        transfers,
                        repairs,
                        catchUp,
                        manifests,
                        patience,
                        machinery.syncer(),
                        inbox,
                        this::resume,
                        machinery.closing()),
                new Orphans(announcer),
                new Supersession(context, transfers, placement, receipts, announcer),
                Math.min(ReceiveLoop.MAX_BATCH_BYTES, Runtime.getRuntime().maxMemory() / LEAST_BATCHES_IN_HEAP));
    }

    private Finisher.Events events() {
        return new Finisher.Events() {
            @Override
            public void reopen(Incoming incoming, BitSet damaged) {
                loop.reopen(incoming, damaged);
            }

            @Override
            public void over(Incoming incoming) {
                loop.over(incoming);
            }

            @Override
            public void failed(Throwable failure) {
                machinery.failed().accept(failure);
            }

            @Override
            public boolean isClosing() {
                return machinery.closing().getAsBoolean();
            }
        };
    }

    ReceiveLoop loop() {
        return loop;
    }

    IncomingTransfers transfers() {
        return transfers;
    }

    CatchUp catchUp() {
        return catchUp;
    }

    /** Takes up what a predecessor left in the ledger and on disk. */
    void resume() {
        context.ledger().leases().forEach(lease -> leased.add(lease.transferId()));
        List<TransferRow> rows = context.ledger().incoming(request.topic(), request.name(), DUE);
        List<Path> placing = rows.stream()
                .filter(row -> row.state() == TransferState.PLACING)
                .map(row -> Path.of(row.path()))
                .toList();
        rows.stream()
                .filter(row -> row.state() == TransferState.DELIVERED)
                .forEach(row -> finisher.recordedBefore(row, placing));
        // a file that was renamed before its end was recorded must not be taken for one that may be replaced
        rows.stream().filter(row -> row.state() == TransferState.PLACING).forEach(this::resume);
        rows.stream().filter(row -> row.state() != TransferState.PLACING).forEach(this::resume);
        leased.forEach(this::resumeReceipted);
        sweep();
    }

    private void resumeReceipted(String id) {
        context.ledger()
                .transfer(Direction.INCOMING, id, request.name())
                .filter(row ->
                        row.state() == TransferState.RECEIPTED && row.topic().equals(request.topic()))
                .ifPresent(this::resume);
    }

    private void resume(TransferRow row) {
        if (IncomingTransfers.isUnseen(row)) {
            if (context.clock().millis() - row.createdMillis() > MANIFEST_WITHIN.toMillis()) {
                context.ledger().commit(List.of(new LedgerChange.DeleteTransfer(row.key())));
            } else {
                transfers.recall(row);
            }
            return;
        }
        switch (row.state()) {
            case RECEIVING -> {
                Incoming incoming = transfers.load(row);
                if (incoming.isWhole()) {
                    finish(incoming);
                } else {
                    loop.resume(incoming);
                }
            }
            case COMPLETE, PLACING -> finish(transfers.load(row));
            case DELIVERED -> {
                hold(row);
                receipts.send(row);
            }
            case RECEIPTED -> hold(row);
            case FAILED -> {
                if (IncomingDetail.parse(row.detail()).receiptDue()) {
                    receipts.send(row);
                }
            }
            case SENDING, SENT, COMPLETED, CANCELLED -> {}
        }
    }

    /** A crash may have come between the delivery and the hard links that a lease promises. */
    private void hold(TransferRow row) {
        if (leased.contains(row.transferId())) {
            context.holdings().hold(row);
        }
    }

    private void finish(Incoming incoming) {
        incoming.finishing = true;
        incoming.handedOver = true;
        finisher.submit(incoming);
    }

    /** Removes what a crash left behind of transfers that have ended. */
    private void sweep() {
        String mine = "@" + request.name();
        try (DirectoryStream<Path> left =
                Files.newDirectoryStream(transfers.target().reserved())) {
            for (Path each : left) {
                String name = String.valueOf(each.getFileName());
                if (name.endsWith(mine) && isOver(name.substring(0, name.length() - mine.length()))) {
                    context.disk().deleteTree(each);
                }
            }
        } catch (IOException e) {
            throw new StorageException(
                    StorageException.Code.IO,
                    "list " + transfers.target().reserved() + ": " + StorageException.reason(e),
                    e);
        }
        context.holdings().sweep(transfers.target().root(), request.name());
    }

    private boolean isOver(String id) {
        return context.ledger()
                .transfer(Direction.INCOMING, id, request.name())
                .filter(row -> row.state().isEnded() || row.state() == TransferState.DELIVERED)
                .isPresent();
    }

    /** Sends the receipt that is recorded of a transfer once more; nothing when there is none. Any thread. */
    void repeatReceipt(String id) {
        context.ledger()
                .transfer(Direction.INCOMING, id, request.name())
                .filter(row -> row.topic().equals(request.topic()))
                .ifPresent(receipts::repeat);
    }

    /** Takes a frame of the agent's inbox, or drops it; one thread at a time. */
    void inbox(Frame frame) throws InterruptedException {
        inbox.put(frame);
    }
}
