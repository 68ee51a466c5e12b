package io.longhaul.agent.control;

import io.longhaul.agent.Agent;
import io.longhaul.agent.AgentException;
import io.longhaul.storage.Ledger;
import io.longhaul.wire.Names;
import io.longhaul.wire.TransferId;
import java.time.Clock;
import java.util.function.Consumer;

/** What an agent answers over the control socket of its data directory. May be used from any thread. */
public final class ControlCommands {
    private static final int ENTRIES_AT_ONCE = 1_000;

    private final Agent agent;
    private final Ledger ledger;

    public ControlCommands(Agent agent, Ledger ledger) {
        this.agent = agent;
        this.ledger = ledger;
    }

    /** Does what is asked, of a transfer or what else has the id; tells the lines of the answer. */
    public void run(ControlServer.Request request, Consumer<String> lines) {
        String command = request.command();
        String id = request.id();
        switch (command) {
            case "transfers" -> LedgerReport.transfers(ledger, lines);
            case "receipts" -> LedgerReport.receipts(ledger, request.receipts(), lines);
            case "entries" -> LedgerReport.entries(ledger, id, ENTRIES_AT_ONCE).forEach(lines);
            case "trust" -> LedgerReport.trust(ledger, id, Clock.systemUTC()).forEach(lines);
            case "cancel" -> {
                agent.cancel(id);
                lines.accept("{\"event\":\"cancelled\",\"transfer\":\"" + TransferId.parse(id) + "\"}");
            }
            case "resume" ->
                throw new AgentException(
                        AgentException.Code.REFUSED, "a process has the data directory open and goes on by itself");
            default -> throw new AgentException(AgentException.Code.USAGE, "unknown command " + Names.shown(command));
        }
    }
}
