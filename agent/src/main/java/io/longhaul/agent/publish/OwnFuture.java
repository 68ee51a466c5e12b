package io.longhaul.agent.publish;

import java.util.concurrent.CompletableFuture;

/** Futures for callers, who may cancel theirs, or give it a time limit, without ending what others wait for. */
final class OwnFuture {
    private OwnFuture() {}

    /** Returns one that ends as the source does, with the very failure and not with one around it, as that of a copy is. */
    static <T> CompletableFuture<T> of(CompletableFuture<T> source) {
        CompletableFuture<T> own = new CompletableFuture<>();
        source.whenComplete((value, failure) -> {
            if (failure == null) {
                own.complete(value);
            } else {
                own.completeExceptionally(failure);
            }
        });
        return own;
    }
}
