package io.longhaul.it.bench.row;

import io.longhaul.it.bench.contender.Stage;
import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.OutputLine;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the command says of itself. */
final class Help {
    private Help() {}

    static String of(Stage stage, String command) {
        Child help = Network.of(stage.testbed()).node("help", command, "--help").start();
        help.awaitExit(Child.PATIENCE);
        return Stream.concat(help.output().stream(), help.errors().stream())
                .map(OutputLine::text)
                .collect(Collectors.joining("\n"));
    }
}
