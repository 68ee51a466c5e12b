package io.longhaul.agent;

import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls what an application gave its agent, so that no fault of it harms the agent's threads; for its own packages. */
public final class Callbacks {
    private static final Logger LOG = LoggerFactory.getLogger(Callbacks.class);
    private static final ThreadLocal<Boolean> CALLING = new ThreadLocal<>();

    private Callbacks() {}

    /**
     * Does what the application gave. What it throws is logged under this name and goes no further, also what it need not
     * declare, as in other languages; and an interrupt that it leaves behind would stop the agent's next wait.
     */
    public static void call(String name, Runnable action) {
        boolean interrupted = Thread.currentThread().isInterrupted();
        boolean nested = isCalling();
        try {
            CALLING.set(true);
            action.run();
        } catch (Throwable e) {
            LOG.warn("{} failed", name, e);
        } finally {
            if (!nested) {
                CALLING.remove();
            }
            if (!interrupted && Thread.interrupted()) {
                LOG.debug("{} left its thread interrupted", name);
            }
        }
    }

    /** Returns whether this thread is in what an application gave its agent. */
    public static boolean isCalling() {
        return Boolean.TRUE.equals(CALLING.get());
    }

    /**
     * Returns a future for the application, which may cancel it, or give it a time limit, without ending what others wait for.
     * It ends as the source does, with the very failure and not with one around it, as that of a copy is.
     *
     * @param name of what the application does when it ends
     */
    public static <T> CompletableFuture<T> future(String name, CompletableFuture<T> source) {
        CompletableFuture<T> own = new CompletableFuture<>();
        source.whenComplete((value, failure) -> call(name, () -> {
            if (failure == null) {
                own.complete(value);
            } else {
                own.completeExceptionally(failure);
            }
        }));
        return own;
    }
}
