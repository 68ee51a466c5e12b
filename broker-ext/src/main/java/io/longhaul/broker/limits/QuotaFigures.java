package io.longhaul.broker.limits;

/**
 * What was counted for one user or topic pattern that has a limit.
 *
 * @param whose {@code user NAME} or {@code topic PATTERN}
 * @param delayedFrames pieces whose answer waited, or that a link had to wait with, since the launch
 * @param refusedTransfers transfers that were not let in, since the launch
 * @param openTransfers transfers under way
 */
public record QuotaFigures(String whose, long delayedFrames, long refusedTransfers, int openTransfers) {}
