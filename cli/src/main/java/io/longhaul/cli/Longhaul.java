package io.longhaul.cli;

import io.longhaul.cli.option.FilePath;
import io.longhaul.cli.option.WholeNumber;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code longhaul}: only the commands below it do something. */
@Command(
        name = "longhaul",
        header = "Carries files over a network of brokers, surely and to many sites at once.",
        description =
                "Start with 'longhaul quickstart'; 'longhaul COMMAND --help' explains each command with an example.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Exit codes: 0 done; 2 usage; 3 broker never reached;",
            "4 transfer or check failed; 5 verification failed;",
            "6 interrupted or timed out, the same command goes on;",
            "7 refused (rights, quota, disk floor, name, port or data directory in use).",
            "",
            "Example:",
            "  longhaul broker --name b1 --data /tmp/b1 &",
            "  longhaul subscribe news --name s1 --into /tmp/in --broker 127.0.0.1:7400 &",
            "  longhaul publish README.md --topic news --broker 127.0.0.1:7400 --wait 1"
        })
final class Longhaul implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;

    /**
     * Registers the command that the first argument names, or all of them when it names none.
     *
     * <p>Reading the options of all commands by reflection takes longer than a short command does.
     */
    static CommandLine commandLine(Environment environment, List<String> arguments) {
        Map<String, Supplier<Object>> commands = commands(environment);
        CommandLine root = new CommandLine(new Longhaul());
        String first = arguments.isEmpty() ? "" : arguments.get(0);
        if (commands.containsKey(first)) {
            root.addSubcommand(commands.get(first).get());
        } else {
            commands.values().forEach(command -> root.addSubcommand(command.get()));
            root.addSubcommand(new CommandLine.HelpCommand());
        }
        Map<String, IHelpSectionRenderer> sections = new HashMap<>(root.getHelpSectionMap());
        sections.put(UsageMessageSpec.SECTION_KEY_FOOTER, Longhaul::footer);
        return root.setHelpSectionMap(sections)
                .registerConverter(Path.class, new FilePath())
                .registerConverter(int.class, new WholeNumber())
                .registerConverter(Integer.class, new WholeNumber())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setAbbreviatedOptionsAllowed(false)
                .setExpandAtFiles(false) // a file may have such a name
                .setUsageHelpAutoWidth(true)
                .setOverwrittenOptionsAllowed(false);
    }

    /** Examples are pasted: they are printed as they are, however narrow the terminal. */
    private static String footer(Help help) {
        String[] lines = help.commandSpec().usageMessage().footer();
        return lines.length == 0 ? "" : String.join(System.lineSeparator(), lines) + System.lineSeparator();
    }

    private static Map<String, Supplier<Object>> commands(Environment environment) {
        Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
        commands.put("quickstart", () -> new QuickstartCommand(environment));
        commands.put("broker", () -> new BrokerCommand(environment));
        commands.put("agent", () -> new AgentCommand(environment));
        commands.put("publish", () -> new PublishCommand(environment));
        commands.put("subscribe", () -> new SubscribeCommand(environment));
        commands.put("unsubscribe", () -> new UnsubscribeCommand(environment));
        commands.put("transfers", () -> new TransfersCommand(environment));
        commands.put("receipts", () -> new ReceiptsCommand(environment));
        commands.put("resume", () -> new ResumeCommand(environment));
        commands.put("cancel", () -> new CancelCommand(environment));
        commands.put("user", () -> user(environment));
        commands.put("topology", () -> topology(environment));
        commands.put("bridge", () -> bridge(environment));
        commands.put("ptcp-perf", () -> ptcpPerf(environment));
        commands.put("doctor", () -> new DoctorCommand(environment));
        commands.put("version", () -> new VersionCommand(environment));
        commands.put("rehearsal", () -> new RehearsalCommand(environment));
        return commands;
    }

    private static CommandLine user(Environment environment) {
        return new CommandLine(new UserCommand())
                .addSubcommand(new UserAddCommand(environment))
                .addSubcommand(new UserPasswdCommand(environment))
                .addSubcommand(new UserRemoveCommand(environment))
                .addSubcommand(new UserListCommand(environment));
    }

    private static CommandLine topology(Environment environment) {
        return new CommandLine(new TopologyCommand(environment))
                .addSubcommand(new TopologyPlanCommand(environment))
                .addSubcommand(new TopologyRemoveCommand(environment));
    }

    private static CommandLine bridge(Environment environment) {
        return new CommandLine(new BridgeCommand())
                .addSubcommand(new BridgeFrontCommand(environment))
                .addSubcommand(new BridgeBackCommand(environment));
    }

    private static CommandLine ptcpPerf(Environment environment) {
        return new CommandLine(new PtcpPerfCommand())
                .addSubcommand(new PtcpPerfServerCommand(environment))
                .addSubcommand(new PtcpPerfClientCommand(environment));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "missing command");
    }
}
