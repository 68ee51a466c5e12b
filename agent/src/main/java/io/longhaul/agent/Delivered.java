package io.longhaul.agent;

import io.longhaul.wire.Receipt;
import java.nio.file.Path;

/**
 * A transfer that reached its end at a subscription.
 *
 * @param receipt what was sent to whoever waits for it
 * @param name that it was published under; empty for one that was given up before its manifest had come
 * @param path where it lies, absolute; the subscription's directory for outcomes other than delivered and kept
 * @param seconds from the first sight of the transfer, in this process, to its place
 * @param duplicatePieces pieces that arrived more than once
 * @param duplicateBytes their bytes
 * @param repairedBytes bytes that came by repair
 */
public record Delivered(
        Receipt receipt,
        String name,
        Path path,
        double seconds,
        long duplicatePieces,
        long duplicateBytes,
        long repairedBytes) {

    /** Returns whether the transfer was refused because its bytes are not what they should be. */
    public boolean isVerificationFailed() {
        return Failures.isVerification(receipt);
    }
}
