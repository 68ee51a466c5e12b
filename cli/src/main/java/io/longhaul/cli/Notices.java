package io.longhaul.cli;

import io.longhaul.agent.AgentListener;
import io.longhaul.cli.terminal.Console;

/** Shows what an agent says of its weather. */
final class Notices implements AgentListener {
    private final Console console;

    Notices(Console console) {
        this.console = console;
    }

    @Override
    public void notice(String line) {
        console.say("longhaul: " + line);
    }
}
