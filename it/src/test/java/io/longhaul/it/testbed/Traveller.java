package io.longhaul.it.testbed;

import java.nio.file.Files;
import java.nio.file.Path;

/** The one user of emulated networks, whose brokers listen beyond loopback and so must have users: it may do everything. */
final class Traveller {
    private static final String NAME = "traveller";
    private static final String PASSWORD = "a password of the tests";

    private Traveller() {}

    /** Returns the users file of a testbed, made when it is not there. */
    static Path users(Testbed testbed) {
        Path users = testbed.file("users");
        if (!Files.exists(users)) {
            Users.add(users, NAME, PASSWORD, "--publish", "#", "--subscribe", "#", "--link");
        }
        return users;
    }

    /** Has an agent log in. */
    static Node as(Node agent) {
        return agent.with("--user", NAME).withVariable("LONGHAUL_PASSWORD", PASSWORD);
    }

    /** Has a broker log in at those that it links to. */
    static Node linking(Node broker) {
        return broker.with("--link-user", NAME).withVariable("LONGHAUL_LINK_PASSWORD", PASSWORD);
    }
}
