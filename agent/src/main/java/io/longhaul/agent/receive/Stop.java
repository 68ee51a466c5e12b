package io.longhaul.agent.receive;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.Failures;
import io.longhaul.agent.SubscribeRequest;
import io.longhaul.agent.link.LinkException;
import io.longhaul.storage.StorageException;

/** What it means to users that a subscription cannot go on. */
final class Stop {
    private Stop() {}

    /** A new start goes on, but not without its data directory, nor while the broker says no. */
    static AgentException of(SubscribeRequest request, Throwable why) {
        return new AgentException(
                code(why),
                "subscription " + request.name() + " of topic " + request.topic() + " stopped: "
                        + (why.getMessage() == null ? why : why.getMessage()),
                why);
    }

    private static AgentException.Code code(Throwable why) {
        if (why instanceof StorageException storage && storage.code() == StorageException.Code.LOST) {
            return AgentException.Code.TRANSFER_FAILED;
        }
        boolean isRefusal =
                why instanceof LinkException link && Failures.translate(link).code() == AgentException.Code.REFUSED;
        return isRefusal ? AgentException.Code.REFUSED : AgentException.Code.INTERRUPTED;
    }
}
