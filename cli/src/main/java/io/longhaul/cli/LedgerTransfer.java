package io.longhaul.cli;

import io.longhaul.agent.AgentException;
import io.longhaul.wire.TransferId;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;

/** One transfer as a ledger shows it, for commands that name it. */
record LedgerTransfer(String id, String topic, String direction, String state) {
    private static final Set<String> ENDED = Set.of("completed", "receipted", "failed", "cancelled");

    /**
     * Looks the transfer up, as what goes on where a directory has it more than once: who publishes may subscribe, too; refused
     * when the ledger does not know it.
     */
    static LedgerTransfer find(String id, Path data, LedgerView view) {
        TransferId.parse(id);
        return view.transfers(view.directories(Optional.of(data)).get(0)).stream()
                .filter(transfer -> transfer.path("transfer").asText().equals(id))
                .map(transfer -> new LedgerTransfer(
                        id,
                        transfer.path("topic").asText(),
                        transfer.path("direction").asText(),
                        transfer.path("state").asText()))
                .min(Comparator.comparing(LedgerTransfer::hasEnded).thenComparing(LedgerTransfer::isIncoming))
                .orElseThrow(() -> new AgentException(
                        AgentException.Code.REFUSED, "transfer " + id + " is not in the ledger of " + data));
    }

    boolean isIncoming() {
        return direction.equals("incoming");
    }

    private boolean hasEnded() {
        return ENDED.contains(state);
    }

    /** Refuses for transfers that came in or have ended. */
    void checkGoesOn() {
        if (isIncoming()) {
            throw new AgentException(
                    AgentException.Code.REFUSED,
                    "transfer " + id
                            + " is incoming: it goes on when its subscription is served, see 'longhaul subscribe'");
        }
        checkUnfinished();
    }

    /** Refuses for transfers that have ended. */
    void checkUnfinished() {
        if (hasEnded()) {
            throw new AgentException(
                    AgentException.Code.REFUSED, "transfer " + id + " has ended already: it is " + state);
        }
    }
}
