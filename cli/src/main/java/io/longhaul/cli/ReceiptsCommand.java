package io.longhaul.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.longhaul.cli.terminal.Console;
import io.longhaul.cli.terminal.JsonLine;
import io.longhaul.cli.terminal.Shown;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code longhaul receipts}. */
@Command(
        name = "receipts",
        header = "List the receipts that a ledger knows.",
        description =
                "Those taken from subscribers for what was published, and those given for what was received. Works"
                        + " while an agent has the data directory open.",
        footer = {"", "Example:", "  longhaul receipts --data /var/lib/longhaul/mirror-1 --json"})
final class ReceiptsCommand implements Callable<Integer> {
    private final Environment environment;

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private LedgerOptions ledger = new LedgerOptions();

    ReceiptsCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        Console console = common.console(environment);
        LedgerView view = new LedgerView(environment, console::say);
        for (Path directory : view.directories(ledger.data())) {
            for (JsonNode receipt : view.receipts(directory)) {
                console.result(text(receipt), json(receipt, directory));
            }
        }
        return ExitCodes.OK;
    }

    private static String outcome(JsonNode receipt) {
        return receipt.path("outcome").asText().toLowerCase(Locale.ROOT);
    }

    /** The same members as the receipts that a publication prints, and those that only the ledger has. */
    private static JsonLine json(JsonNode receipt, Path directory) {
        return JsonLine.ofNode(receipt)
                .with("outcome", outcome(receipt))
                .with("bytes", receipt.path("length").asLong())
                .with("at", receipt.path("atMillis").asLong())
                .with("data", directory.toString());
    }

    private static String text(JsonNode receipt) {
        String reason = receipt.path("reason").asText();
        return receipt.path("direction").asText() + " receipt "
                + receipt.path("transfer").asText() + " from "
                + receipt.path("subscription").asText() + ": "
                + outcome(receipt) + ' '
                + Shown.quoted(receipt.path("path").asText()) + ' '
                + receipt.path("length").asLong()
                + " bytes sha256:" + receipt.path("digest").asText()
                + (reason.isEmpty() ? "" : ": " + Shown.escaped(reason));
    }
}
