package io.longhaul.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.longhaul.agent.control.ReceiptSelection;
import io.longhaul.cli.state.LedgerDamage;
import io.longhaul.cli.terminal.Console;
import io.longhaul.cli.terminal.JsonLine;
import io.longhaul.cli.terminal.Shown;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code longhaul receipts}. */
@Command(
        name = "receipts",
        header = "List the receipts that a ledger knows, all or some, and check their signatures.",
        description =
                "Those taken from subscribers for what was published, and those given for what was received: who, what,"
                        + " when, digest, number in the subscriber's chain, key. Works while an agent has the data"
                        + " directory open.",
        footer = {
            "",
            "Example:",
            "  longhaul receipts --data /var/lib/longhaul/mirror-1 --verify",
            "  longhaul receipts --topic climate.daily --name '2026/*.nc' --subscription mirror-1 --since 7d --json"
        })
final class ReceiptsCommand implements Callable<Integer>, StopsAtOnce {
    private final Environment environment;

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private LedgerOptions ledger = new LedgerOptions();

    @Mixin
    private ReceiptFilter filter = new ReceiptFilter();

    @Option(
            names = "--verify",
            description =
                    "Say what does not hold of signatures and keys of the receipts shown, and of whole chains, whatever"
                            + " is shown; exit code 5 when something does not.")
    private boolean verify;

    @Option(
            names = "--trust",
            paramLabel = "FINGERPRINT",
            description = "Accept a new key of the subscriptions that sent receipts with it; ask them for its"
                    + " fingerprint first, over another way.")
    private @Nullable String trusted;

    ReceiptsCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        filter.check();
        Console console = common.console(environment);
        LedgerView view = new LedgerView(environment, console::say);
        String fingerprint = trusted;
        if (fingerprint != null) {
            return trust(console, view, fingerprint);
        }
        ReceiptSelection selection = filter.selection(Instant.now());
        AtomicInteger faulty = new AtomicInteger();
        boolean damaged = false;
        for (Path directory : view.directories(ledger.data())) {
            view.receipts(directory, selection, line -> {
                boolean shown = line.path("event").asText().equals("receipt") && selection.allows(line);
                if (shown) {
                    console.result(text(line), json(line, directory));
                }
                if (verify && say(console, line, shown ? "faults" : "chainFaults", directory)) {
                    faulty.incrementAndGet();
                }
            });
            if (verify) {
                List<String> damage = LedgerDamage.lines(directory);
                damage.forEach(fault -> sayOfChain(console, fault, directory));
                damaged |= !damage.isEmpty();
            }
        }
        if (faulty.get() > 0) {
            console.warn("longhaul: " + faulty + (faulty.get() == 1 ? " receipt does" : " receipts do") + " not hold");
        }
        return faulty.get() > 0 || damaged ? ExitCodes.VERIFICATION : ExitCodes.OK;
    }

    private int trust(Console console, LedgerView view, String fingerprint) {
        Path directory = ledger.data()
                .orElseThrow(() -> new IllegalArgumentException("--trust: expected --data DIR of the publisher"));
        view.directories(Optional.of(directory));
        for (JsonNode line : view.trust(directory, fingerprint)) {
            console.result(
                    "key " + fingerprint + " is accepted for subscription "
                            + line.path("subscription").asText() + " of topic "
                            + line.path("topic").asText(),
                    JsonLine.ofNode(line).with("data", directory.toString()));
        }
        return ExitCodes.OK;
    }

    /**
     * Says what does not hold of a receipt, or of the chain as a whole; returns whether there is something.
     *
     * @param member what is said of a receipt: of one that is not shown only what is of its chain, since another one that is
     *     missing may be one that would be
     */
    private static boolean say(Console console, JsonNode line, String member, Path directory) {
        if (!line.path("event").asText().equals("receipt")) {
            sayOfChain(console, line.path("fault").asText(), directory);
            return true;
        }
        String of = line.path("direction").asText() + " receipt of transfer "
                + line.path("transfer").asText() + " from "
                + line.path("subscription").asText() + number(line) + ": ";
        List<String> faults = line.path(member)
                .valueStream()
                .map(fault -> of + Shown.escaped(fault.asText()))
                .toList();
        if (member.equals("faults")) {
            faults.forEach(fault -> console.warn("longhaul: " + fault));
        } else {
            faults.forEach(fault -> sayOfChain(console, fault, directory));
        }
        return !faults.isEmpty();
    }

    private static void sayOfChain(Console console, String fault, Path directory) {
        console.warn("longhaul: " + fault);
        console.event(JsonLine.of("receipt-fault").with("fault", fault).with("data", directory.toString()));
    }

    private static String outcome(JsonNode receipt) {
        return receipt.path("outcome").asText().toLowerCase(Locale.ROOT);
    }

    private static String number(JsonNode receipt) {
        return receipt.has("sequence") ? ", number " + receipt.path("sequence").asLong() : "";
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
        String key = receipt.path("keyFingerprint").asText();
        return receipt.path("direction").asText() + " receipt "
                + receipt.path("transfer").asText() + " from "
                + receipt.path("subscription").asText() + " of topic "
                + receipt.path("topic").asText() + ", agent "
                + Shown.escaped(receipt.path("agent").asText()) + ": "
                + outcome(receipt) + ' '
                + Shown.quoted(receipt.path("path").asText()) + ' '
                + receipt.path("length").asLong()
                + " bytes sha256:" + receipt.path("digest").asText()
                + " at " + Instant.ofEpochMilli(receipt.path("atMillis").asLong())
                + number(receipt)
                + (key.isEmpty() ? "" : ", key " + key)
                + ", signature " + receipt.path("signature").asText()
                + (reason.isEmpty() ? "" : ": " + Shown.escaped(reason));
    }
}
