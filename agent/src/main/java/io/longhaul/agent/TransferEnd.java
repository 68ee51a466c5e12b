package io.longhaul.agent;

/** How a transfer has ended. */
public enum TransferEnd {
    /** Everything asked for has happened: the network has it, and all receipts that were waited for have come. */
    COMPLETED,
    /** It failed, or was given up; some may have it. */
    FAILED
}
