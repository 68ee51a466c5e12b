package io.longhaul.storage;

import java.util.Set;

/** Where a transfer stands in this agent's ledger. */
public enum TransferState {
    /** Outgoing: pieces are being read, kept or sent. */
    SENDING(false),
    /** Outgoing: the broker has manifest, pieces and seal on disk; receipts may be awaited. */
    SENT(false),
    /** Outgoing: everything asked for has happened. */
    COMPLETED(true),
    /** Incoming: pieces or the seal are missing. */
    RECEIVING(false),
    /** Incoming: seal and all pieces are here and durable; not verified yet. */
    COMPLETE(false),
    /** Incoming: verified; the final name is chosen and the rename may have happened. */
    PLACING(false),
    /** Incoming: in place and durable, or kept or superseded; the receipt is due. */
    DELIVERED(false),
    /** Incoming: the broker has the receipt. */
    RECEIPTED(true),
    /** Given up for the reason in the detail. */
    FAILED(true),
    /** Cancelled by a person or by the publisher. */
    CANCELLED(true);

    /** Those of outgoing transfers of which something remains to be done. */
    public static final Set<TransferState> UNFINISHED_OUTGOING = Set.of(SENDING, SENT);

    private final boolean ended;

    TransferState(boolean ended) {
        this.ended = ended;
    }

    /** Whether nothing remains to be done. */
    public boolean isEnded() {
        return ended;
    }
}
