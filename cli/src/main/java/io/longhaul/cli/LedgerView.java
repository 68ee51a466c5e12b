package io.longhaul.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.longhaul.agent.control.LedgerReport;
import io.longhaul.cli.state.ControlClient;
import io.longhaul.storage.Disk;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.Store;
import io.longhaul.storage.StoreConfig;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** What the ledgers of one or all data directories know: from the process that has one open, else from the disk. */
final class LedgerView {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int ENTRIES_AT_ONCE = 50_000; // opening a ledger takes its time

    private final Environment environment;
    private final Consumer<String> notices;

    LedgerView(Environment environment, Consumer<String> notices) {
        this.environment = environment;
        this.notices = notices;
    }

    /** Returns the directory given, else all that are there; a usage error when there is nothing to look at. */
    List<Path> directories(Optional<Path> given) {
        if (given.isPresent()) {
            if (!Store.exists(given.get())) {
                throw new IllegalArgumentException(given.get() + ": no data directory of an agent");
            }
            return List.of(given.get());
        }
        return environment.state().existing();
    }

    /** Returns a line for each transfer. */
    List<JsonNode> transfers(Path data) {
        return lines(data, "transfers", ledger -> {
            List<String> lines = new ArrayList<>();
            LedgerReport.transfers(ledger, lines::add);
            return lines;
        });
    }

    /** Returns a line for each receipt, and one for each fault that is of no single receipt. */
    List<JsonNode> receipts(Path data) {
        return lines(data, "receipts", LedgerReport::receipts);
    }

    /** Returns a line for each of the next entries of a delivered tree, from that number on; none behind the last one. */
    List<JsonNode> entries(Path data, String transfer, long from) {
        String page = transfer + ":" + from;
        return ControlClient.ask(data, "entries", Optional.of(page))
                .orElseGet(() -> closed(data, ledger -> LedgerReport.entries(ledger, page, ENTRIES_AT_ONCE)));
    }

    /** Accepts a key that receipts are signed with; returns a line for each subscription that has it. */
    List<JsonNode> trust(Path data, String fingerprint) {
        return ControlClient.ask(data, "trust", Optional.of(fingerprint))
                .orElseGet(() -> closed(data, ledger -> LedgerReport.trust(ledger, fingerprint, Clock.systemUTC())));
    }

    private List<JsonNode> lines(Path data, String command, Function<Ledger, List<String>> report) {
        return environment.unlessStopped(
                "interrupted",
                () -> ControlClient.ask(data, command, Optional.empty()).orElseGet(() -> closed(data, report)));
    }

    private List<JsonNode> closed(Path data, Function<Ledger, List<String>> report) {
        try (Store store = Store.open(data, StoreConfig.defaults(), Disk.real())) {
            store.findings().forEach(finding -> notices.accept("longhaul: " + finding));
            return parsed(report.apply(store.ledger()));
        }
    }

    private static List<JsonNode> parsed(List<String> lines) {
        List<JsonNode> nodes = new ArrayList<>();
        for (String line : lines) {
            try {
                nodes.add(JSON.readTree(line));
            } catch (JsonProcessingException e) {
                throw new IllegalStateException("not JSON: " + line, e);
            }
        }
        return nodes;
    }
}
