package io.longhaul.cli;

import io.longhaul.broker.network.TreePlan;
import io.longhaul.cli.option.ByteSize;
import io.longhaul.cli.terminal.Console;
import io.longhaul.cli.terminal.JsonLine;
import io.longhaul.wire.Names;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code longhaul topology plan}. */
@Command(
        name = "plan",
        header = "Propose a tree of links for given sites.",
        description =
                "The first site is the root, where files come from. Each other site links to one that was placed before it;"
                        + " those with the widest uplink are placed first, so that the narrow ones send nothing on.",
        footer = {
            "",
            "Example:",
            "  longhaul topology plan hub=10Mbit@1 site-a=1Gbit site-b=1Gbit site-c --fan-out 2",
            "",
            "gives the hub one link, and two to every other site that needs some."
        })
final class TopologyPlanCommand implements Callable<Integer> {
    private static final Pattern SITE = Pattern.compile("([^=@]+)(?:=([^=@]+))?(?:@([0-9]{1,9}))?");
    private static final Pattern BITS =
            Pattern.compile("([0-9]+(?:\\.[0-9]+)?) ?([kmgt]?)bit", Pattern.CASE_INSENSITIVE);

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
        print(console, parsed.get(0).name(), parents);
        parents.forEach((site, parent) ->
                console.event(JsonLine.of("link").with("site", site).with("to", parent)));
        return ExitCodes.OK;
    }

    /** A site and how far below the root it is. */
    private record Placed(String site, int depth) {}

    /** Prints each site below its parent. */
    private static void print(Console console, String root, Map<String, String> parents) {
        Map<String, List<String>> children = new HashMap<>();
        parents.forEach((site, to) ->
                children.computeIfAbsent(to, none -> new ArrayList<>()).add(site));
        Deque<Placed> left = new ArrayDeque<>(List.of(new Placed(root, 0)));
        while (!left.isEmpty()) {
            Placed next = left.pop();
            String parent = parents.get(next.site());
            console.print(
                    parent == null
                            ? next.site()
                            : "   ".repeat(next.depth() - 1) + "`- " + next.site() + "  (longhaul broker --name "
                                    + next.site() + " --link ADDRESS-OF-" + parent + " ...)");
            List<String> below = children.getOrDefault(next.site(), List.of());
            for (int i = below.size() - 1; i >= 0; i--) {
                left.push(new Placed(below.get(i), next.depth() + 1));
            }
        }
    }

    private TreePlan.Site site(String text) {
        Matcher form = SITE.matcher(text);
        if (!form.matches()) {
            throw unexpected(text);
        }
        long rate = form.group(2) == null ? 0 : rate(text, form.group(2));
        int most = form.group(3) == null ? fanOut : Integer.parseInt(form.group(3));
        return new TreePlan.Site(Names.broker(form.group(1)), rate, most);
    }

    /** Reads bits a second, with a unit that counts in 1000s, or bytes a second. */
    private static long rate(String site, String text) {
        Matcher bits = BITS.matcher(text);
        double rate;
        if (bits.matches()) {
            int thousands = " kmgt".indexOf(bits.group(2).toLowerCase(Locale.ROOT)); // 0 for none
            rate = Double.parseDouble(bits.group(1)) * Math.pow(1000, thousands);
        } else {
            try {
                rate = (double) ByteSize.parse(text).bytes() * Byte.SIZE;
            } catch (IllegalArgumentException e) {
                throw unexpected(site);
            }
        }
        if (rate < 1) {
            throw unexpected(site);
        }
        return (long) rate;
    }

    private static IllegalArgumentException unexpected(String site) {
        return new IllegalArgumentException(
                "site: expected NAME, NAME=RATE, NAME@N or NAME=RATE@N such as hub=100Mbit@2, found " + site);
    }
}
