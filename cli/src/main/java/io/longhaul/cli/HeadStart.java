package io.longhaul.cli;

import io.longhaul.agent.Agent;
import java.util.Set;

/** Loads what an agent needs while the options are read, which takes as long and needs one processor only. */
final class HeadStart {
    private static final Set<String> COMMANDS = Set.of("publish", "subscribe", "resume", "agent", "rehearsal");

    private HeadStart() {}

    static void begin(String... arguments) {
        if (arguments.length > 0 && COMMANDS.contains(arguments[0])) {
            Thread thread = new Thread(Agent::prepare, "cli-head-start");
            thread.setDaemon(true);
            thread.start();
        }
    }
}
