package io.longhaul.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import io.longhaul.wire.BrokerReport.FailingLink;
import io.longhaul.wire.BrokerReport.LinkReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A broker's report from JSON.
 *
 * <p>Design note: its last member may be missing, which the mapper, strict about every other member, cannot be told of one.
 */
final class BrokerReportJson extends StdDeserializer<BrokerReport> {
    private static final long serialVersionUID = 1L;
    private static final String FAILING = "failing";

    BrokerReportJson() {
        super(BrokerReport.class);
    }

    /** Refuses a member that is missing, null or of another type; unknown ones are ignored. */
    @Override
    public BrokerReport deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        JsonNode report = JsonMembers.object("broker-report", context.readTree(parser));
        List<LinkReport> links = new ArrayList<>();
        for (JsonNode link : JsonMembers.list(report, "links")) {
            links.add(context.readTreeAsValue(JsonMembers.object("link", link), LinkReport.class));
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
                failing);
    }
}
