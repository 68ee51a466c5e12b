package io.longhaul.agent.receive;

import io.longhaul.agent.AgentException;

/** Does something unless a transfer is promised to somebody, and lets nobody be promised it meanwhile. */
public interface Unpromised {
    /** Returns whether it was done. */
    boolean run(String transfer, Runnable task);

    /** Gives a transfer up; throws {@link AgentException} of code REFUSED when others were promised repairs of it. */
    default void giveUp(String transfer, Runnable task) {
        if (!run(transfer, task)) {
            throw new AgentException(
                    AgentException.Code.REFUSED,
                    "transfer " + transfer + " cannot be cancelled: others were promised repairs of it");
        }
    }
}
