package io.longhaul.agent.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;

/**
 * Which receipts are asked for: those that all of it allow.
 *
 * @param topic their topic; empty for all
 * @param name the name that a file was published or delivered under, in which {@code *} stands for any characters; empty for
 *     all
 * @param subscription who gave them; empty for all
 * @param transfer of what; empty for all
 * @param since not before that time, by the subscriber's clock
 * @param until before that time
 */
public record ReceiptSelection(
        Optional<String> topic,
        Optional<String> name,
        Optional<String> subscription,
        Optional<String> transfer,
        Optional<Instant> since,
        Optional<Instant> until) {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** All that there are. */
    public static final ReceiptSelection ALL = new ReceiptSelection(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    /** Returns what an object says; a member that is not there allows everything. */
    static ReceiptSelection of(JsonNode object) {
        return new ReceiptSelection(
                member(object, "topic"),
                member(object, "name"),
                member(object, "subscription"),
                member(object, "transfer"),
                member(object, "since").map(Instant::parse),
                member(object, "until").map(Instant::parse));
    }

    private static Optional<String> member(JsonNode object, String name) {
        return object.has(name) ? Optional.of(object.path(name).asText()) : Optional.empty();
    }

    /** Returns it as an object. */
    public JsonNode json() {
        ObjectNode object = JSON.createObjectNode();
        topic.ifPresent(value -> object.put("topic", value));
        name.ifPresent(value -> object.put("name", value));
        subscription.ifPresent(value -> object.put("subscription", value));
        transfer.ifPresent(value -> object.put("transfer", value));
        since.ifPresent(value -> object.put("since", value.toString()));
        until.ifPresent(value -> object.put("until", value.toString()));
        return object;
    }

    /** Returns whether a receipt, as {@link LedgerReport#receipts} tells it, is asked for. */
    public boolean allows(JsonNode receipt) {
        Instant at = Instant.ofEpochMilli(receipt.path("atMillis").asLong());
        return isEqual(topic, receipt, "topic")
                && isEqual(subscription, receipt, "subscription")
                && isEqual(transfer, receipt, "transfer")
                && name.map(Wildcard::new)
                        .filter(wildcard -> !wildcard.matches(
                                        receipt.path("name").asText())
                                && !wildcard.matches(receipt.path("path").asText()))
                        .isEmpty()
                && since.filter(at::isBefore).isEmpty()
                && until.filter(time -> !at.isBefore(time)).isEmpty();
    }

    private static boolean isEqual(Optional<String> expected, JsonNode receipt, String member) {
        return expected.isEmpty() || expected.get().equals(receipt.path(member).asText());
    }
}
