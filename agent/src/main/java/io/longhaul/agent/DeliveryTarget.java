package io.longhaul.agent;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/**
 * Where a subscription's transfers go on to, such as another server. A transfer counts as delivered, and its receipt is
 * given, only once the target has it.
 */
@FunctionalInterface
public interface DeliveryTarget {
    /**
     * Carries a transfer on, which lies whole and verified in the subscription's directory. Called on the subscription's
     * thread for several transfers at a time, never for two of the same first name; must not block.
     *
     * <p>After a crash it is called again for the same transfer; also when it throws, or its future fails with, anything else
     * than an {@link AgentException}, which may pass: after 1, 2, 4, 8 and 16 s. What fails then, too, counts as final.
     * Transfers that come later wait meanwhile.
     *
     * @param path the file or directory; it stays until the future is done
     * @param name its relative name
     * @return completes when the target has it durably, however long that takes; fails with an {@link AgentException} when
     *     it never can, which the receipt then tells with its message
     */
    CompletableFuture<Void> deliver(Path path, String name);

    /**
     * A transfer that was carried on is recorded as delivered, so what lies here of it may go. Called on the
     * subscription's thread, before anything else of the same first name gets to its place; must not throw. Once, and
     * again after a crash that came before its receipt was sent, when it still lies here.
     *
     * @param path the file or directory
     * @param name its relative name
     */
    default void recorded(Path path, String name) {}
}
