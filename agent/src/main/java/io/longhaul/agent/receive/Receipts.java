package io.longhaul.agent.receive;

import io.longhaul.agent.Delivered;
import io.longhaul.agent.link.LinkException;
import io.longhaul.agent.link.OfferListener;
import io.longhaul.storage.Direction;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.Receipt;
import io.longhaul.wire.TransferId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes, records, sends and repeats receipts.
 *
 * <p>A receipt is in the ledger, signed, with the state that it tells of before it is offered, and is offered from
 * there; the listener hears of the end once the network has the receipt, and only after that the transfer counts as
 * receipted. So a crash anywhere repeats the later steps, with the same receipt. May be used from any thread.
 */
final class Receipts {
    private static final Logger LOG = LoggerFactory.getLogger(Receipts.class);
    private static final String NO_DIGEST = "0".repeat(64);

    private final ReceiverContext context;
    private final Outbox outbox;
    private final Announcer announcer;

    Receipts(ReceiverContext context, Outbox outbox, Announcer announcer) {
        this.context = context;
        this.outbox = outbox;
        this.announcer = announcer;
    }

    static Receipt make(
            ReceiverContext context,
            TransferRow row,
            Receipt.Outcome outcome,
            long length,
            String digest,
            String path,
            String reason) {
        return new Receipt(
                TransferId.parse(row.transferId()),
                row.topic(),
                row.subscription(),
                context.agentName(),
                outcome,
                length,
                digest.isEmpty() ? NO_DIGEST : digest,
                path,
                context.clock().millis(),
                reason,
                Optional.empty());
    }

    /** Returns the changes that end a transfer with this receipt: the row, in its new state, and the receipt, signed. */
    List<LedgerChange> changes(TransferRow row, Receipt receipt) {
        return List.of(new LedgerChange.PutTransfer(row), context.signer().append(receipt));
    }

    /** Offers the receipt that the ledger has of a row that ended, but for its receipt: the same bytes each time. */
    void send(TransferRow row) {
        String deduplication = row.transferId() + "/receipt/" + row.topic() + "@" + row.subscription();
        recorded(row).forEach(receipt -> offer(row, receipt, deduplication, outcome(row, receipt)));
    }

    /** Offers it once more, past all deduplication: nobody may have kept a queue for it where it came by. */
    void repeat(TransferRow row) {
        recorded(row)
                .forEach(receipt -> offer(
                        row,
                        receipt,
                        "",
                        OfferListener.whenRefused(
                                reason -> LOG.debug("receipt of transfer {} not repeated", row.transferId(), reason))));
    }

    private List<Receipt> recorded(TransferRow row) {
        return context.ledger().receipts(Direction.INCOMING, row.transferId()).stream()
                .filter(recorded -> recorded.subscription().equals(row.subscription()))
                .map(recorded ->
                        FrameCodec.fromJson(recorded.receipt().getBytes(StandardCharsets.UTF_8), Receipt.class))
                .toList();
    }

    private void offer(TransferRow row, Receipt receipt, String deduplication, OfferListener listener) {
        outbox.offer(Addresses.receipts(row.topic()), receipt, deduplication, listener);
    }

    private OfferListener outcome(TransferRow row, Receipt receipt) {
        return new OfferListener() {
            @Override
            public void safe() {
                sent(row, receipt, true);
            }

            @Override
            public void refused(LinkException reason) {
                if (reason.code() == LinkException.Code.CLOSED) {
                    return;
                }
                boolean nobodyWaits = reason.code() == LinkException.Code.NO_SUBSCRIPTION;
                if (!nobodyWaits) {
                    announcer.notice("receipt of transfer " + row.transferId() + " was not taken and stays due: "
                            + reason.getMessage());
                }
                sent(row, receipt, nobodyWaits);
            }
        };
    }

    private void sent(TransferRow row, Receipt receipt, boolean taken) {
        IncomingDetail detail = IncomingDetail.parse(row.detail());
        TransferState state = row.state() == TransferState.FAILED ? TransferState.FAILED : TransferState.RECEIPTED;
        announcer.ended(delivered(row.name(), detail, receipt), () -> {
            if (taken) {
                context.ledger()
                        .commit(List.of(new LedgerChange.PutTransfer(row.withState(state)
                                .withDetail(detail.receipted().toJson()))));
            }
        });
    }

    private static Delivered delivered(String name, IncomingDetail detail, Receipt receipt) {
        Path root = Path.of(detail.into());
        boolean inPlace = receipt.outcome() == Receipt.Outcome.DELIVERED || receipt.outcome() == Receipt.Outcome.KEPT;
        IncomingDetail.Counters counters = detail.counters();
        return new Delivered(
                receipt,
                name,
                inPlace ? root.resolve(receipt.path()) : root,
                detail.seconds().total(),
                counters.duplicatePieces(),
                counters.duplicateBytes(),
                counters.repairedBytes());
    }
}
