package io.longhaul.cli;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.NetworkView;
import io.longhaul.cli.terminal.Amounts;
import io.longhaul.cli.terminal.Console;
import io.longhaul.cli.terminal.JsonLine;
import io.longhaul.wire.BrokerReport;
import io.longhaul.wire.Names;
import io.longhaul.wire.RemovalAnswer;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code longhaul topology remove}. */
@Command(
        name = "remove",
        header = "Take a site that is gone for good out of the network.",
        description =
                "The broker asked forgets its neighbour SITE: its queues are freed, and what was wanted behind it is wanted no"
                        + " more. Refused with exit code 7 while the site is linked, and while files wait for it.",
        footer = {
            "",
            "Example:",
            "  longhaul topology remove site-b --broker hub.example.org:7400",
            "",
            "Asked again, the broker says again what was done.",
            "Other neighbours of the site, which are named, keep queues of their own: ask them, too."
        })
final class TopologyRemoveCommand implements Callable<Integer>, StopsAtOnce {
    private final Environment environment;

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Parameters(paramLabel = "SITE", description = "The name of the site's broker.")
    private String site = "";

    @Option(names = "--force", description = "Give up what waits for the site; how much that is, is said.")
    private boolean force;

    TopologyRemoveCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws InterruptedException {
        Console console = common.console(environment);
        Names.broker(site);
        NetworkView network = connection.network(environment);
        RemovalAnswer removed = network.remove(site, force);
        List<String> elsewhere = elsewhere(network, removed.asked(), console);
        console.result(
                "removed " + site + " from " + removed.asked() + ": " + Amounts.count(removed.queues(), "queue")
                        + "; gave up " + Amounts.count(removed.frames(), "frame") + " ("
                        + Amounts.bytes(removed.bytes()) + ")",
                JsonLine.of("removed")
                        .with("site", site)
                        .with("broker", removed.asked())
                        .with("queues", removed.queues())
                        .with("frames", removed.frames())
                        .with("bytes", removed.bytes())
                        .with("elsewhere", elsewhere));
        elsewhere.forEach(broker -> console.say("broker " + broker + " keeps queues for " + site
                + ", too: longhaul topology remove " + site + " --broker ADDRESS-OF-" + broker));
        return ExitCodes.OK;
    }

    /** Returns who else has a link to the site; what was done is done, so that a failure here is only said. */
    private List<String> elsewhere(NetworkView network, String asked, Console console) throws InterruptedException {
        try {
            return network.ask().brokers().stream()
                    .filter(report ->
                            !report.broker().equals(site) && !report.broker().equals(asked))
                    .filter(report ->
                            report.links().stream().anyMatch(link -> link.peer().equals(site)))
                    .map(BrokerReport::broker)
                    .toList();
        } catch (AgentException e) {
            console.say("who else keeps queues for " + site + " is not known: " + e.getMessage());
            return List.of();
        }
    }
}
