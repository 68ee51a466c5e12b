package io.longhaul.cli;

import io.longhaul.broker.network.TreePlan;
import io.longhaul.cli.option.ByteSize;
import io.longhaul.cli.terminal.Console;
import io.longhaul.cli.terminal.JsonLine;
import io.longhaul.wire.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code longhaul topology plan}. */
@Command(
        name = "plan",
        header = "Propose a tree of links for given sites.",
        description = {
            "The first site is the root, where files come from. Each other site links to one that was placed before it;",
            "those with the widest uplink are placed first, so that the narrow ones send nothing on."
        },
        footer = {
            "",
            "Example:",
            "  longhaul topology plan hub=10Mbit@1 site-a=1Gbit site-b=1Gbit site-c --fan-out 2",
            "",
            "gives the hub one link, and two to every other site that needs some."
        })
final class TopologyPlanCommand implements Callable<Integer> {
    private final Environment environment;

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Parameters(
            arity = "1..*",
            paramLabel = "SITE[=RATE][@N]",
            description = "A site's broker, its uplink's rate (such as 100Mbit) and the most copies that it sends.")
    private List<String> sites = new ArrayList<>();

    @Option(
            names = "--fan-out",
            paramLabel = "N",
            description = "Most copies that a site sends unless it says otherwise. Default: 4.")
    private int fanOut = 4;

    TopologyPlanCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        Console console = common.console(environment);
        List<TreePlan.Site> parsed = sites.stream().map(this::site).toList();
        Map<String, String> parents = TreePlan.of(parsed);
        String root = parsed.get(0).name();
        console.print(root);
        print(console, root, "", parents);
        parents.forEach((site, parent) ->
                console.event(JsonLine.of("link").with("site", site).with("to", parent)));
        return ExitCodes.OK;
    }

    private static void print(Console console, String parent, String indent, Map<String, String> parents) {
        parents.forEach((site, to) -> {
            if (to.equals(parent)) {
                console.print(indent + "`- " + site + "  (longhaul broker --name " + site + " --link ADDRESS-OF-" + to
                        + " ...)");
                print(console, site, indent + "   ", parents);
            }
        });
    }

    private TreePlan.Site site(String text) {
        int at = text.indexOf('@');
        int equals = text.indexOf('=');
        String most = at < 0 ? Integer.toString(fanOut) : text.substring(at + 1);
        String front = at < 0 ? text : text.substring(0, at);
        String name = equals < 0 ? front : front.substring(0, Math.min(equals, front.length()));
        try {
            return new TreePlan.Site(
                    Names.agent(name), equals < 0 ? 0 : rate(front.substring(equals + 1)), Integer.parseInt(most));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "site: expected NAME, NAME=RATE or NAME=RATE@N such as hub=100Mbit@2, found " + text, e);
        }
    }

    /** Reads bits a second, with a unit that counts in 1000s. */
    private static long rate(String text) {
        String[] units = {"bit", "kbit", "mbit", "gbit", "tbit"};
        String lower = text.toLowerCase(java.util.Locale.ROOT);
        for (int i = units.length - 1; i >= 0; i--) {
            if (lower.endsWith(units[i])) {
                double value = Double.parseDouble(lower.substring(0, lower.length() - units[i].length()));
                return (long) (value * Math.pow(1000, i));
            }
        }
        return ByteSize.parse(text).bytes() * Byte.SIZE;
    }
}
