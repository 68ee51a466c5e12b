package io.longhaul.cli;

import io.longhaul.broker.BrokerConfig;
import io.longhaul.broker.limits.Limit;
import io.longhaul.cli.option.LimitText;
import io.longhaul.cli.option.TopicLimit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Option;

/** What users and topics may use of a broker. */
final class LimitOptions {
    @Option(
            names = "--limit-user",
            paramLabel = "KEY=N[,...]",
            converter = LimitText.Converter.class,
            description =
                    "What each user may use who has no limits in the users file; without users, all together. rate: bytes a"
                            + " second; pieces: pieces a second; transfers: how many at a time; backlog: bytes that may wait on the user's"
                            + " topics before another transfer begins. May be given several times. Default: anything.")
    private List<LimitText> users = new ArrayList<>();

    @Option(
            names = "--limit-topic",
            paramLabel = "PATTERN=KEY=N[,...]",
            converter = TopicLimit.Converter.class,
            description =
                    "What the topics of PATTERN may use together, like 'climate.*=rate=50MiB,transfers=4'. May be given"
                            + " several times. Default: anything.")
    private List<TopicLimit> topics = new ArrayList<>();

    BrokerConfig.Limiting limiting() {
        Map<String, List<LimitText>> ofPatterns = new LinkedHashMap<>();
        topics.forEach(each -> ofPatterns
                .computeIfAbsent(each.pattern(), pattern -> new ArrayList<>())
                .add(each.limits()));
        Map<String, Limit> ofTopics = new LinkedHashMap<>();
        ofPatterns.forEach((pattern, parts) -> ofTopics.put(pattern, sum("--limit-topic " + pattern, parts)));
        return new BrokerConfig.Limiting(sum("--limit-user", users), ofTopics);
    }

    /** Puts limits together; throws {@link IllegalArgumentException} when they say the same one twice. */
    static Limit sum(String whose, List<LimitText> parts) {
        Limit sum = Limit.NONE;
        Set<String> said = new HashSet<>();
        for (LimitText each : parts) {
            for (LimitText.Amount amount : each.amounts()) {
                if (!said.add(amount.key())) {
                    throw new IllegalArgumentException(
                            whose + ": limit " + amount.key() + ": expected once, found twice");
                }
            }
            sum = each.addTo(sum);
        }
        return sum;
    }
}
