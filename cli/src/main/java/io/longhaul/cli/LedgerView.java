package io.longhaul.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.longhaul.agent.control.LedgerReport;
import io.longhaul.agent.control.ReceiptSelection;
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
        return environment.unlessStopped(
                "interrupted",
                () -> ControlClient.ask(data, "transfers", Optional.empty()).orElseGet(() -> {
                    List<JsonNode> lines = new ArrayList<>();
                    closed(data, ledger -> LedgerReport.transfers(ledger, line -> lines.add(parsed(line))));
                    return lines;
                }));
    }

    /**
     * Tells a line for each receipt that is asked for, or whose chain has a fault there, and for each fault that is of no single
     * receipt, as they are read.
     */
    void receipts(Path data, ReceiptSelection selection, Consumer<JsonNode> lines) {
        environment.unlessStopped("interrupted", () -> {
            if (!ControlClient.receipts(data, selection, lines)) {
                closed(data, ledger -> LedgerReport.receipts(ledger, selection, line -> lines.accept(parsed(line))));
            }
            return data;
        });
    }

    /** Returns a line for each of the next entries of a delivered tree, from that number on; none behind the last one. */
    List<JsonNode> entries(Path data, String transfer, long from) {
        String page = transfer + ":" + from;
        return ControlClient.ask(data, "entries", Optional.of(page))
                .orElseGet(() -> closedLines(data, ledger -> LedgerReport.entries(ledger, page, ENTRIES_AT_ONCE)));
    }

    /** Accepts a key that receipts are signed with; returns a line for each subscription that has it. */
    List<JsonNode> trust(Path data, String fingerprint) {
        return ControlClient.ask(data, "trust", Optional.of(fingerprint))
                .orElseGet(
                        () -> closedLines(data, ledger -> LedgerReport.trust(ledger, fingerprint, Clock.systemUTC())));
    }

    private List<JsonNode> closedLines(Path data, Function<Ledger, List<String>> report) {
        List<JsonNode> lines = new ArrayList<>();
        closed(data, ledger -> report.apply(ledger).forEach(line -> lines.add(parsed(line))));
        return lines;
    }

    private void closed(Path data, Consumer<Ledger> report) {
        try (Store store = Store.open(data, StoreConfig.defaults(), Disk.real())) {
            store.findings().forEach(finding -> notices.accept("longhaul: " + finding));
            report.accept(store.ledger());
        }
    }

    private static JsonNode parsed(String line) {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("not JSON: " + line, e);
        }
    }
}
