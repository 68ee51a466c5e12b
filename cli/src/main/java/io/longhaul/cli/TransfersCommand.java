package io.longhaul.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.longhaul.cli.state.DeliveredCheck;
import io.longhaul.cli.state.LedgerDamage;
import io.longhaul.cli.terminal.Amounts;
import io.longhaul.cli.terminal.Console;
import io.longhaul.cli.terminal.JsonLine;
import io.longhaul.cli.terminal.Shown;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code longhaul transfers}. */
@Command(
        name = "transfers",
        header = "List the transfers that a ledger knows.",
        description =
                "Outgoing and incoming ones with state, bytes, digest and seconds for each phase. Works while an agent"
                        + " has the data directory open.",
        footer = {"", "Example:", "  longhaul transfers --data /var/lib/longhaul/mirror-1 --verify"})
final class TransfersCommand implements Callable<Integer>, StopsAtOnce {
    private final Environment environment;

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private LedgerOptions ledger = new LedgerOptions();

    @Option(
            names = "--verify",
            description =
                    "Read delivered files again, and those of delivered trees, and compare length and digest; exit code"
                            + " 5 when one differs.")
    private boolean verify;

    TransfersCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        Console console = common.console(environment);
        LedgerView view = new LedgerView(environment, console::say);
        int damaged = 0;
        boolean incomplete = false;
        for (Path directory : view.directories(ledger.data())) {
            List<JsonNode> transfers = view.transfers(directory);
            DeliveredCheck check =
                    new DeliveredCheck(transfers, (transfer, number) -> view.entries(directory, transfer, number));
            for (JsonNode transfer : transfers) {
                Optional<DeliveredCheck.Verdict> verdict = verify ? check.of(transfer) : Optional.empty();
                damaged += verdict.isPresent() && verdict.get().isDamage() ? 1 : 0;
                console.result(text(transfer, verdict), json(transfer, directory, verdict));
            }
            if (verify) {
                List<String> lost = LedgerDamage.lines(directory);
                lost.forEach(line -> console.warn("longhaul: " + line));
                lost.forEach(line -> console.event(
                        JsonLine.of("ledger-fault").with("fault", line).with("data", directory.toString())));
                incomplete |= !lost.isEmpty();
            }
        }
        if (damaged > 0) {
            console.warn("longhaul: " + damaged + (damaged == 1 ? " file or tree is" : " files or trees are")
                    + " not what was delivered");
        }
        return damaged > 0 || incomplete ? ExitCodes.VERIFICATION : ExitCodes.OK;
    }

    private static String text(JsonNode transfer, Optional<DeliveredCheck.Verdict> verdict) {
        StringBuilder line = new StringBuilder(transfer.path("direction").asText())
                .append(' ')
                .append(transfer.path("state").asText())
                .append(' ')
                .append(transfer.path("transfer").asText())
                .append(' ')
                .append(transfer.path("topic").asText())
                .append(' ')
                .append(Shown.quoted(transfer.path("name").asText()));
        long bytes = transfer.path("bytes").asLong(-1);
        line.append(bytes < 0 ? " ? bytes" : " " + bytes + " bytes");
        String digest = transfer.path("digest").asText();
        if (!digest.isEmpty()) {
            line.append(" sha256:").append(digest);
        }
        line.append(", ").append(transfer.path("safePieces").asLong());
        if (transfer.path("pieces").asLong(-1) >= 0) {
            line.append(" of ").append(transfer.path("pieces").asLong());
        }
        line.append(" pieces safe");
        seconds(transfer.path("detail"))
                .forEach((phase, value) -> line.append(", ")
                        .append(Shown.escaped(phase))
                        .append(' ')
                        .append(Amounts.seconds(value)));
        String reason = transfer.path("detail").path("reason").asText();
        if (!reason.isEmpty()) {
            line.append(": ").append(Shown.escaped(reason));
        }
        verdict.ifPresent(v -> line.append("; ").append(v.line()));
        return line.toString();
    }

    /** Phases are those numbers of the detail's object {@code seconds}. */
    private static Map<String, Double> seconds(JsonNode detail) {
        Map<String, Double> seconds = new LinkedHashMap<>();
        detail.path("seconds")
                .properties()
                .forEach(e -> seconds.put(e.getKey(), e.getValue().asDouble()));
        return seconds;
    }

    private static JsonLine json(JsonNode transfer, Path directory, Optional<DeliveredCheck.Verdict> verdict) {
        JsonLine line = JsonLine.ofNode(transfer).with("data", directory.toString());
        verdict.ifPresent(v -> line.with("verified", v.name().toLowerCase(Locale.ROOT)));
        return line;
    }
}
