package io.longhaul.cli;

import io.longhaul.broker.limits.Limit;
import io.longhaul.broker.users.Account;
import io.longhaul.broker.users.FileRights;
import io.longhaul.broker.users.FileRights.PathRight;
import io.longhaul.broker.users.FileRights.Right;
import io.longhaul.broker.users.TopicPattern;
import io.longhaul.cli.terminal.JsonLine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a user may do, as the user commands print it; nothing of the password. */
final class UserLines {
    private UserLines() {}

    static JsonLine json(Path file, Account account) {
        return JsonLine.of("user")
                .with("name", account.name())
                .with("file", file.toString())
                .with("publish", texts(account.publish()))
                .with("subscribe", texts(account.subscribe()))
                .with("link", account.mayLink())
                .with("operate", account.mayOperate())
                .with("root", account.files().root())
                .with("readPaths", paths(account, Right.READ))
                .with("writePaths", paths(account, Right.WRITE))
                .with("limits", limits(account.limit().orElse(Limit.NONE)));
    }

    /** Returns the same for people; what is as it is unless something is said is left out. */
    static String text(Account account) {
        List<String> parts = new ArrayList<>();
        add(parts, "publish", texts(account.publish()));
        add(parts, "subscribe", texts(account.subscribe()));
        if (parts.isEmpty()) {
            parts.add("no topics");
        }
        if (account.mayLink()) {
            parts.add("link");
        }
        if (account.mayOperate()) {
            parts.add("operate");
        }
        if (!account.files().root().equals(FileRights.ALL.root())) {
            parts.add("root " + account.files().root());
        }
        if (account.files().paths().filter(List::isEmpty).isPresent()) {
            parts.add("no paths");
        }
        add(parts, "read", paths(account, Right.READ));
        add(parts, "write", paths(account, Right.WRITE));
        List<String> limits = new ArrayList<>();
        limits(account.limit().orElse(Limit.NONE)).forEach((key, value) -> limits.add(key + "=" + value));
        add(parts, "limit", limits);
        return account.name() + ": " + String.join("; ", parts);
    }

    private static void add(List<String> parts, String what, List<String> values) {
        if (!values.isEmpty()) {
            parts.add(what + " " + String.join(" ", values));
        }
    }

    private static List<String> texts(List<TopicPattern> patterns) {
        return patterns.stream().map(TopicPattern::text).toList();
    }

    private static List<String> paths(Account account, Right right) {
        return account.files().paths().orElse(List.of()).stream()
                .filter(path -> path.right() == right)
                .map(PathRight::path)
                .toList();
    }

    private static Map<String, Long> limits(Limit limit) {
        Map<String, Long> limits = new LinkedHashMap<>();
        limits.put("rate", limit.rate());
        limits.put("transfers", (long) limit.transfers());
        limits.put("backlog", limit.backlog());
        limits.put("pieces", limit.pieces());
        limits.values().removeIf(amount -> amount == 0);
        return limits;
    }
}
