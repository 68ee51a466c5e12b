package io.longhaul.agent;

import io.longhaul.wire.Receipt;
import java.util.List;

/**
 * What a publication came to.
 *
 * @param transfer identity of the transfer
 * @param name name at the subscribers
 * @param length bytes
 * @param digest SHA-256 in hexadecimal
 * @param pieces how many pieces
 * @param resentPieces how many of them were sent again after an outage or a restart
 * @param resentBytes their bytes
 * @param seconds from the call, or from the restart, to the end
 * @param receipts those that were in by then, also those of subscriptions where it failed
 */
public record PublicationResult(
        String transfer,
        String name,
        long length,
        String digest,
        long pieces,
        long resentPieces,
        long resentBytes,
        double seconds,
        List<Receipt> receipts) {}
