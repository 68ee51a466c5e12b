package io.longhaul.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.longhaul.wire.BrokerReport.FailingLink;
import io.longhaul.wire.BrokerReport.LinkReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Frames that have gained a member since their first version, from JSON: an older peer writes them without it.
 *
 * <p>Design note: the mapper, strict about every member, cannot be told of one that may be missing.
 */
final class GrownFrames {
    private static final String FAILING = "failing";
    private static final String DRAINS = "drains";
    private static final String ORDER = "order";
    private static final List<String> OF_LINK = List.of("heldFrames", "heldBytes", "silentMillis");
    private static final String TOPIC = "topic";
    private static final String ASKED = "askedMillis";
    private static final String TRANSFER = "transfer";
    private static final String UNKNOWN_BEHIND = "unknownBehind";

    private GrownFrames() {}

    static void register(SimpleModule module) {
        module.addDeserializer(Receipt.class, new Reader<>("receipt", (node, context) -> ReceiptJson.read(node)));
        module.addDeserializer(TopicAnswer.class, new Reader<>("topic-answer", (node, context) -> topicAnswer(node)));
        module.addDeserializer(BrokerReport.class, new Reader<>("broker-report", GrownFrames::brokerReport));
        module.addDeserializer(
                RepairRequest.class, new Reader<>("repair-request", (node, context) -> repairRequest(node)));
        module.addDeserializer(
                RetainedQuery.class, new Reader<>("retained-query", (node, context) -> retainedQuery(node)));
    }

    /** Makes a frame of its members. */
    private interface Form<T> {
        T read(JsonNode members, DeserializationContext context) throws IOException;
    }

    /** Refuses a member that is missing, null or of another type; unknown ones are ignored. */
    private static final class Reader<T> extends JsonDeserializer<T> {
        private final String what;
        private final Form<T> form;

        Reader(String what, Form<T> form) {
            this.what = what;
            this.form = form;
        }

        @Override
        public T deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            return form.read(JsonMembers.object(what, context.readTree(parser)), context);
        }
    }

    private static TopicAnswer topicAnswer(JsonNode answer) {
        return new TopicAnswer(
                JsonMembers.text(answer, TOPIC),
                JsonMembers.texts(answer, "subscriptions"),
                JsonMembers.text(answer, "unknownTo"),
                answer.has(UNKNOWN_BEHIND) ? JsonMembers.text(answer, UNKNOWN_BEHIND) : "");
    }

    private static BrokerReport brokerReport(JsonNode report, DeserializationContext context) throws IOException {
        List<LinkReport> links = new ArrayList<>();
        for (JsonNode link : JsonMembers.list(report, "links")) {
            links.add(linkReport(JsonMembers.object("link", link), context));
        }
        List<FailingLink> failing = new ArrayList<>();
        if (report.has(FAILING)) {
            for (JsonNode link : JsonMembers.list(report, FAILING)) {
                failing.add(context.readTreeAsValue(JsonMembers.object("link", link), FailingLink.class));
            }
        }
        long fanOut = Limits.range("fanOut", JsonMembers.number(report, "fanOut"), 0, Integer.MAX_VALUE);
        return new BrokerReport(
                JsonMembers.text(report, "broker"),
                JsonMembers.number(report, "sequence"),
                (int) fanOut,
                JsonMembers.number(report, "subscriptions"),
                links,
                failing,
                report.has(DRAINS) ? JsonMembers.number(report, DRAINS) : 0,
                report.has(ORDER) ? JsonMembers.number(report, ORDER) : 0);
    }

    private static LinkReport linkReport(JsonNode link, DeserializationContext context) throws IOException {
        ObjectNode whole = link.deepCopy();
        OF_LINK.stream().filter(member -> !whole.has(member)).forEach(member -> whole.put(member, 0L));
        return context.readTreeAsValue(whole, LinkReport.class);
    }

    private static RepairRequest repairRequest(JsonNode request) {
        return new RepairRequest(
                TransferId.parse(JsonMembers.text(request, TRANSFER)),
                JsonMembers.text(request, "subscription"),
                JsonMembers.text(request, "asker"),
                JsonMembers.number(request, "first"),
                JsonMembers.bytes(request, "bitmap"),
                request.has(TOPIC) ? JsonMembers.text(request, TOPIC) : "");
    }

    private static RetainedQuery retainedQuery(JsonNode query) {
        return new RetainedQuery(
                JsonMembers.number(query, "request"),
                JsonMembers.text(query, TOPIC),
                JsonMembers.text(query, "subscription"),
                JsonMembers.text(query, "asker"),
                JsonMembers.number(query, "sinceMillis"),
                query.has(ASKED) ? JsonMembers.number(query, ASKED) : 0,
                JsonMembers.number(query, "afterOrder"),
                JsonMembers.text(query, "afterTransfer"),
                query.has(TRANSFER) ? JsonMembers.text(query, TRANSFER) : "");
    }
}
