package io.longhaul.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.longhaul.agent.AgentException;
import io.longhaul.wire.TransferId;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** One transfer as a ledger shows it, for commands that name it. */
record LedgerTransfer(String id, String topic, String direction, String state) {
    private static final Set<String> ENDED = Set.of("completed", "receipted", "failed", "cancelled");

    /** Looks the transfer up; refused when the ledger does not know it. */
    static LedgerTransfer find(String id, Path data, LedgerView view) {
        TransferId.parse(id);
        for (JsonNode transfer :
                view.transfers(view.directories(Optional.of(data)).get(0))) {
            if (transfer.path("transfer").asText().equals(id)) {
                return new LedgerTransfer(
                        id,
                        transfer.path("topic").asText(),
                        transfer.path("direction").asText(),
                        transfer.path("state").asText());
            }
        }
        throw new AgentException(AgentException.Code.REFUSED, "transfer " + id + " is not in the ledger of " + data);
    }

    /** Refuses for transfers that came in or have ended. */
    void checkGoesOn() {
        if (direction.equals("incoming")) {
            throw new AgentException(
                    AgentException.Code.REFUSED,
                    "transfer " + id
                            + " is incoming: it goes on when its subscription is served, see 'longhaul subscribe'");
        }
        if (ENDED.contains(state)) {
            throw new AgentException(
                    AgentException.Code.REFUSED, "transfer " + id + " has ended already: it is " + state);
        }
    }
}
