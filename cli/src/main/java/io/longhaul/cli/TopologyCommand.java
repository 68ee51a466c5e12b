package io.longhaul.cli;

import io.longhaul.cli.doctor.LinkChecks;
import io.longhaul.cli.terminal.Amounts;
import io.longhaul.cli.terminal.Console;
import io.longhaul.cli.terminal.JsonLine;
import io.longhaul.wire.BrokerReport;
import io.longhaul.wire.Names;
import io.longhaul.wire.NetworkAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code longhaul topology}. */
@Command(
        name = "topology",
        header = "Show the network of brokers as a tree.",
        description =
                "Asks one broker what it knows: all brokers that it can reach, their links, how many streams a link has now,"
                        + " bytes a second in both directions, and what waits for it.",
        footer = {
            "",
            "Example:",
            "  longhaul topology --broker 127.0.0.1:7400",
            "",
            "'longhaul topology plan' proposes a tree for given sites, 'longhaul topology remove' takes one out."
        })
final class TopologyCommand implements Callable<Integer>, StopsAtOnce {
    private final Environment environment;

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    TopologyCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws InterruptedException {
        Console console = common.console(environment);
        NetworkAnswer answer = connection.network(environment).ask();
        Map<String, BrokerReport> brokers = new TreeMap<>();
        answer.brokers().forEach(report -> brokers.put(report.broker(), report));
        answer.brokers().forEach(report -> console.event(json(answer.asked(), report)));
        tree(answer.asked(), "", "", brokers).forEach(console::print);
        brokers.keySet().forEach(lost -> console.print(lost + "  (no link that carries files leads there)"));
        return ExitCodes.OK;
    }

    /** Returns the lines of a broker and of those beyond it, and takes them from those that are left. */
    private static List<String> tree(String broker, String from, String indent, Map<String, BrokerReport> left) {
        BrokerReport report = left.remove(broker);
        List<String> lines = new ArrayList<>();
        if (report == null) {
            return lines;
        }
        if (from.isEmpty()) {
            lines.add(broker + "  " + Amounts.count(report.subscriptions(), "subscription"));
        }
        for (BrokerReport.FailingLink link : report.failing()) {
            lines.add(indent + "`- to " + Names.shown(link.to()) + "  NOT LINKED: " + Names.shown(link.reason()));
        }
        for (BrokerReport.LinkReport link : report.links()) {
            if (link.peer().equals(from)) {
                continue;
            }
            BrokerReport next = left.get(link.peer());
            lines.add(indent + "`- " + link.peer() + "  "
                    + (next == null ? "" : Amounts.count(next.subscriptions(), "subscription") + ", ") + state(link));
            if (link.active()) {
                lines.addAll(tree(link.peer(), broker, indent + "   ", left));
            }
        }
        return lines;
    }

    private static String state(BrokerReport.LinkReport link) {
        String waiting = link.backlogFrames() == 0
                ? LinkChecks.held(link)
                : ", " + Amounts.count(link.backlogFrames(), "frame")
                        + (link.backlogFrames() == 1 ? " waits (" : " wait (") + Amounts.bytes(link.backlogBytes())
                        + ")" + LinkChecks.held(link);
        if (!link.up()) {
            return "DOWN" + waiting;
        }
        String silent = LinkChecks.isSilent(link) ? "SILENT for " + link.silentMillis() / 1000 + " s, " : "";
        return silent + (link.active() ? "" : "idle, ") + Amounts.count(link.streams(), "stream") + ", out "
                + Amounts.rate((double) link.sentPerSecond()) + ", in "
                + Amounts.rate((double) link.receivedPerSecond()) + waiting;
    }

    private static JsonLine json(String asked, BrokerReport report) {
        return JsonLine.of("broker")
                .with("name", report.broker())
                .with("asked", asked.equals(report.broker()))
                .with("subscriptions", report.subscriptions())
                .with("fanOut", report.fanOut())
                .with(
                        "links",
                        report.links().stream().map(TopologyCommand::json).toList())
                .with(
                        "failing",
                        report.failing().stream().map(TopologyCommand::json).toList());
    }

    private static Map<String, Object> json(BrokerReport.FailingLink link) {
        return new TreeMap<>(Map.of("to", link.to(), "kind", link.kind(), "reason", link.reason()));
    }

    private static Map<String, Object> json(BrokerReport.LinkReport link) {
        Map<String, Object> fields = new TreeMap<>();
        fields.put("peer", link.peer());
        fields.put("up", link.up());
        fields.put("active", link.active());
        fields.put("streams", link.streams());
        fields.put("sentFrames", link.sentFrames());
        fields.put("sentBytes", link.sentBytes());
        fields.put("resentFrames", link.resentFrames());
        fields.put("receivedFrames", link.receivedFrames());
        fields.put("receivedBytes", link.receivedBytes());
        fields.put("sentPerSecond", link.sentPerSecond());
        fields.put("receivedPerSecond", link.receivedPerSecond());
        fields.put("backlogFrames", link.backlogFrames());
        fields.put("backlogBytes", link.backlogBytes());
        fields.put("heldFrames", link.heldFrames());
        fields.put("heldBytes", link.heldBytes());
        fields.put("silentMillis", link.silentMillis());
        return fields;
    }
}
