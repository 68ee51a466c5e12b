package io.longhaul.it.testbed;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The users file of a test's brokers. */
public final class Users {
    private Users() {}

    /** Adds a user, with options such as {@code --publish}; or gives one of this name other rights. */
    public static void add(Path users, String name, String password, String... rights) {
        List<String> command = new ArrayList<>(List.of("user", "add", users.toString(), name));
        command.addAll(List.of(rights));
        Answer.of(0, Map.of("LONGHAUL_PASSWORD", password), command);
    }
}
