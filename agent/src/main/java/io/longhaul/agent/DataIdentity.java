package io.longhaul.agent;

import io.longhaul.storage.Ledger;
import io.longhaul.storage.LedgerChange;
import java.util.List;
import java.util.Optional;

/** Whose a data directory is: an identity made at its first opening, and the agent's name; for the project's own modules. */
public final class DataIdentity {
    private static final String OWNER = "owner";
    private static final String NAME = "agent-name";

    private DataIdentity() {}

    /** Returns the name of the agent that a ledger is of; empty before its first opening by one. */
    public static Optional<String> name(Ledger ledger) {
        return ledger.setting(NAME);
    }

    /** Returns the directory's identity; refuses when it is that of another agent. */
    static String of(AgentConfig config, Ledger ledger) {
        Optional<String> name = name(ledger);
        if (name.isPresent() && !name.get().equals(config.name())) {
            throw new AgentException(
                    AgentException.Code.REFUSED,
                    "data directory " + config.data() + ": expected agent " + config.name() + ", found that of agent "
                            + name.get() + "; give another --data or --name");
        }
        Optional<String> owner = ledger.setting(OWNER);
        if (owner.isPresent() && name.isPresent()) {
            return owner.get();
        }
        String fresh = AgentThreads.newOwner();
        ledger.commit(List.of(
                        new LedgerChange.PutSetting(OWNER, fresh), new LedgerChange.PutSetting(NAME, config.name())))
                .join();
        return fresh;
    }
}
