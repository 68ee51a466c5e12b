package io.longhaul.agent.control;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.longhaul.agent.AgentException;
import io.longhaul.agent.receipt.AuditedReceipt;
import io.longhaul.agent.receipt.ReceiptAudit;
import io.longhaul.agent.receipt.ReceiptTrust;
import io.longhaul.storage.Direction;
import io.longhaul.storage.EntryRow;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.ReceiptRow;
import io.longhaul.storage.TransferRow;
import io.longhaul.wire.Entry;
import io.longhaul.wire.EntryCodec;
import io.longhaul.wire.Names;
import io.longhaul.wire.Receipt;
import io.longhaul.wire.ReceiptSignature;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** What a ledger knows, as JSON objects of one line each. May be used from any thread. */
public final class LedgerReport {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private LedgerReport() {}

    /** Tells one object a transfer, outgoing ones first, oldest first, as they are read: there may be very many. */
    public static void transfers(Ledger ledger, Consumer<String> lines) {
        for (Direction direction : Direction.values()) {
            ledger.forEachTransfer(direction, row -> {
                // of one that was published before its subscription only the end is known
                if (!row.manifest().isEmpty()) {
                    lines.accept(transfer(row, ledger.safePieces(row.key()).cardinality()));
                }
            });
        }
    }

    /**
     * Tells one object a receipt, as they are read, with what its signature is worth and what does not hold: those taken for
     * outgoing transfers, then those given for incoming ones. The name is the one that a file was published under; empty when
     * the ledger has forgotten the transfer. An object {@code receipt-fault} says what is of no single receipt.
     *
     * @param selection what is asked for; a receipt with a fault of its chain is told of in any case
     */
    public static void receipts(Ledger ledger, ReceiptSelection selection, Consumer<String> lines) {
        List<String> faults = ReceiptAudit.run(ledger, audited -> {
            ObjectNode line = receipt(audited, name(ledger, audited.row().transferId()));
            if (selection.allows(line) || !audited.chainFaults().isEmpty()) {
                lines.accept(line.toString());
            }
        });
        faults.forEach(fault -> lines.accept(JSON.createObjectNode()
                .put("event", "receipt-fault")
                .put("fault", fault)
                .toString()));
    }

    /** A row without a manifest has no name, and another subscription may have one. */
    private static String name(Ledger ledger, String transfer) {
        return Stream.of(Direction.values())
                .flatMap(direction -> ledger.transfers(direction, transfer).stream())
                .map(TransferRow::name)
                .filter(name -> !name.isEmpty())
                .reduce("", (before, name) -> name);
    }

    private static ObjectNode receipt(AuditedReceipt audited, String name) {
        ReceiptRow row = audited.row();
        ObjectNode line = JSON.createObjectNode();
        line.put("event", "receipt")
                .put("direction", text(row.direction()))
                .put("transfer", row.transferId())
                .put("topic", row.topic())
                .put("subscription", row.subscription());
        line.setAll(object(row.receipt()));
        line.put("name", name);
        audited.receipt()
                .flatMap(Receipt::proof)
                .ifPresent(proof -> line.put("sequence", proof.sequence())
                        .put("keyFingerprint", ReceiptSignature.fingerprint(proof.key())));
        line.put("signature", audited.standing().word()).put("counted", audited.counted());
        ArrayNode faults = line.putArray("faults");
        audited.faults().forEach(faults::add);
        ArrayNode chainFaults = line.putArray("chainFaults");
        audited.chainFaults().forEach(chainFaults::add);
        return line;
    }

    /** Accepts a key that receipts are signed with; returns one object a subscription. */
    public static List<String> trust(Ledger ledger, String fingerprint, Clock clock) {
        return ReceiptTrust.accept(ledger, fingerprint, clock.millis()).stream()
                .map(row -> JSON.createObjectNode()
                        .put("event", "trusted")
                        .put("topic", row.topic())
                        .put("subscription", row.subscription())
                        .put("key", row.key())
                        .put("keyFingerprint", fingerprint)
                        .toString())
                .toList();
    }

    private static String transfer(TransferRow row, int safePieces) {
        ObjectNode line = JSON.createObjectNode();
        JsonNode manifest = object(row.manifest());
        JsonNode seal = object(row.seal());
        line.put("event", "transfer")
                .put("direction", text(row.direction()))
                .put("transfer", row.transferId())
                .put("topic", row.topic())
                .put("subscription", row.subscription())
                .put("name", row.name())
                .put("state", row.state().name().toLowerCase(Locale.ROOT))
                .put("path", row.path())
                .put("tree", manifest.path("tree").asBoolean())
                .put("bytes", seal.path("length").asLong(manifest.path("length").asLong(-1)))
                .put("digest", seal.path("digest").asText(""))
                .put("entries", seal.path("entries").asLong(-1))
                .put("pieces", seal.path("pieces").asLong(-1))
                .put("safePieces", safePieces)
                .put("createdMillis", row.createdMillis());
        line.set("detail", object(row.detail()));
        return line.toString();
    }

    /**
     * Returns objects for the next entries of a delivered tree, so that one of a million files need not fill the memory.
     *
     * @param from the transfer, a colon and the number of the first entry, as in {@code ID:0}
     * @param most how many
     */
    public static List<String> entries(Ledger ledger, String from, int most) {
        int sign = from.indexOf(':');
        String transfer = from.substring(0, Math.max(sign, 0));
        long first = number(from, from.substring(sign + 1));
        // what each subscription has of one transfer has the same entries
        return ledger.transfers(Direction.INCOMING, transfer).stream()
                .map(row -> page(ledger, row.key(), first, most))
                .filter(lines -> !lines.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    private static long number(String from, String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new AgentException(
                    AgentException.Code.USAGE, "entries: expected ID:NUMBER, found " + Names.shown(from), e);
        }
    }

    private static List<String> page(Ledger ledger, long key, long first, int most) {
        List<String> lines = new ArrayList<>();
        for (long number = first; number < first + most; number++) {
            Optional<EntryRow> row = ledger.entry(key, number);
            if (row.isEmpty()) {
                break;
            }
            Entry entry = EntryCodec.decode(ByteBuffer.wrap(row.get().encoded()));
            lines.add(JSON.createObjectNode()
                    .put("event", "entry")
                    .put("number", number)
                    .put("path", entry.path())
                    .put("type", entry.type().name().toLowerCase(Locale.ROOT))
                    .put("bytes", entry.length())
                    .put("target", entry.target())
                    .put("digest", HexFormat.of().formatHex(row.get().sha256()))
                    .toString());
        }
        return lines;
    }

    private static String text(Direction direction) {
        return direction.name().toLowerCase(Locale.ROOT);
    }

    private static ObjectNode object(String json) {
        try {
            return !json.isEmpty() && JSON.readTree(json) instanceof ObjectNode object
                    ? object
                    : JSON.createObjectNode();
        } catch (JsonProcessingException e) {
            return JSON.createObjectNode().put("unreadable", json);
        }
    }
}
