package io.longhaul.cli;

import io.longhaul.agent.AgentException;
import io.longhaul.cli.option.FilePath;
import io.longhaul.cli.option.NearestKey;
import io.longhaul.cli.terminal.LogForm;
import io.longhaul.wire.Names;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** One run of the command line: arguments in, exit code out; every failure becomes one line on standard error. */
final class Invocation {
    private static final String CONFIG = "--config";

    private final Environment environment;
    private final List<String> arguments;
    private final CommandLine root;
    private ConfiguredOptions configured = ConfiguredOptions.NONE;

    Invocation(Environment environment, String... arguments) {
        this.environment = environment;
        this.arguments = List.of(arguments);
        PrintStream err = environment.streams().err();
        this.root = Longhaul.commandLine(environment, this.arguments)
                .setOut(writer(environment.streams().out()))
                .setErr(writer(err))
                .setParameterExceptionHandler((e, args) -> usage(e.getCommandLine(), message(e)))
                .setExecutionExceptionHandler((e, command, result) -> failed(e, command))
                .setExecutionStrategy(result -> execute(result, environment));
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(stream, true, StandardCharsets.UTF_8);
    }

    /** Runs the command that the arguments name. */
    int run() {
        List<CommandLine> named = named();
        int words = named.size() - 1;
        CommandLine command = named.get(words);
        try {
            List<String> own = arguments.subList(words, arguments.size());
            List<String> complete = new ArrayList<>(arguments.subList(0, words));
            Optional<Path> config = config(own);
            if (config.isPresent() && words > 0) {
                configured = ConfiguredOptions.of(config.get(), command.getCommandSpec(), own);
                complete.addAll(configured.arguments());
            }
            complete.addAll(own);
            return told(root.execute(complete.toArray(String[]::new)), command);
        } catch (IllegalArgumentException e) {
            return usage(command, Failures.line(e));
        } catch (Error e) {
            return failed(e, command);
        }
    }

    /** Results that nobody can read are no success, whatever was done. */
    private int told(int exit, CommandLine command) {
        if (!environment.streams().out().checkError()) {
            return exit;
        }
        String name = command.getCommandSpec().qualifiedName();
        say(command, name + ": standard output: cannot be written, results are missing there; is its disk full?", "");
        return exit == ExitCodes.OK ? ExitCodes.FAILED : exit;
    }

    /** Returns the command that the first arguments name, and those that it is below of, outermost first. */
    private List<CommandLine> named() {
        List<CommandLine> named = new ArrayList<>(List.of(root));
        for (String word : arguments) {
            CommandLine next = named.get(named.size() - 1).getSubcommands().get(word);
            if (next == null) {
                break;
            }
            named.add(next);
        }
        return named;
    }

    private static Optional<Path> config(List<String> words) {
        for (int i = 0; i < words.size() && !words.get(i).equals("--"); i++) {
            if (words.get(i).startsWith(CONFIG + "=")) {
                return file(words.get(i).substring(CONFIG.length() + 1));
            }
            if (words.get(i).equals(CONFIG) && i + 1 < words.size()) {
                return file(words.get(i + 1));
            }
        }
        return Optional.empty();
    }

    /** A path that cannot be is refused with those of the other options. */
    private static Optional<Path> file(String text) {
        try {
            return Optional.of(FilePath.parse(text));
        } catch (TypeConversionException e) {
            return Optional.empty();
        }
    }

    private static int execute(ParseResult result, Environment environment) {
        ParseResult last = result;
        while (last.hasSubcommand()) {
            last = last.subcommand();
        }
        // Read when logging starts, which is at the first class that logs.
        System.setProperty(LogSetup.AMOUNT, amount(last).name());
        System.setProperty(LogSetup.FORM, form(last.commandSpec().commandLine()).name());
        IntSupplier run = () -> new CommandLine.RunLast().execute(result);
        return last.commandSpec().userObject() instanceof StopsAtOnce
                ? unlessStopped(run, last.commandSpec().commandLine(), environment)
                : run.getAsInt();
    }

    /** Runs it on a thread of the environment, and leaves it there when the process is asked to end. */
    private static int unlessStopped(IntSupplier run, CommandLine command, Environment environment) {
        try {
            return environment.unlessStopped("interrupted", run::getAsInt);
        } catch (AgentException stopped) {
            throw new CommandLine.ExecutionException(command, "stopped", stopped);
        }
    }

    private static LogForm form(CommandLine command) {
        CommonOptions common = common(command);
        return common == null ? LogForm.TEXT : common.log;
    }

    private static LogSetup.Amount amount(ParseResult command) {
        CommonOptions common = common(command.commandSpec().commandLine());
        if (common == null) {
            return LogSetup.Amount.QUIET;
        }
        if (common.debug) {
            return LogSetup.Amount.DEBUG;
        }
        if (common.verbose) {
            return LogSetup.Amount.VERBOSE;
        }
        boolean server = Set.of("broker", "agent", "front")
                .contains(command.commandSpec().name());
        return server && !common.quiet ? LogSetup.Amount.SERVER : LogSetup.Amount.QUIET;
    }

    private static @Nullable CommonOptions common(CommandLine command) {
        return command.getMixins().values().stream()
                .filter(CommonOptions.class::isInstance)
                .map(CommonOptions.class::cast)
                .findFirst()
                .orElse(null);
    }

    private String message(ParameterException e) {
        if (e instanceof UnmatchedArgumentException unmatched
                && !unmatched.getUnmatched().isEmpty()) {
            return unknown(e.getCommandLine(), unmatched.getUnmatched().get(0));
        }
        Optional<String> ofFile = configured.fault(e);
        if (ofFile.isPresent()) {
            return Failures.line(new IllegalArgumentException(ofFile.get(), e));
        }
        // What is missing is often there under a mistyped name: that is the better thing to say.
        return firstUnknownOption(e)
                .map(word -> unknown(e.getCommandLine(), word))
                .orElseGet(() -> Failures.line(new IllegalArgumentException(e.getMessage(), e)));
    }

    /** After one dash only where something is missing: elsewhere it may be an option's value. */
    private Optional<String> firstUnknownOption(ParameterException e) {
        String dashes = e instanceof MissingParameterException ? "-" : "--";
        Map<String, OptionSpec> known = e.getCommandLine().getCommandSpec().optionsMap();
        List<String> words =
                arguments.stream().takeWhile(word -> !word.equals("--")).toList();
        return IntStream.range(0, words.size())
                .filter(i -> i == 0 || !takesValue(known.get(words.get(i - 1))))
                .mapToObj(words::get)
                .filter(word -> word.startsWith(dashes) && !word.equals("-") && !isKnown(word, known.keySet()))
                .findFirst();
    }

    private static boolean takesValue(@Nullable OptionSpec option) {
        return option != null && option.arity().max() > 0;
    }

    private static boolean isKnown(String word, Set<String> known) {
        boolean areFlags =
                !word.startsWith("--") && word.chars().skip(1).allMatch(letter -> known.contains("-" + (char) letter));
        return areFlags || known.contains(word.split("=", 2)[0]);
    }

    private String unknown(CommandLine command, String word) {
        String name = word.split("=", 2)[0];
        boolean option = name.startsWith("-");
        Set<String> known = option
                ? command.getCommandSpec().optionsMap().keySet()
                : command.getSubcommands().keySet();
        String near =
                NearestKey.of(name, known).map(key -> "; the nearest is " + key).orElse("");
        String kind = option
                ? "unknown option "
                : command.getSubcommands().isEmpty() ? "unexpected argument " : "unknown command ";
        return kind + Names.shown(name) + near;
    }

    private int usage(CommandLine command, String message) {
        String name = command.getCommandSpec().qualifiedName();
        say(command, name + ": " + message + help(name, message), "");
        return ExitCodes.USAGE;
    }

    private int failed(Throwable failure, CommandLine command) {
        int exit = ExitCodes.of(failure);
        CommonOptions common = common(command);
        StringWriter stack = new StringWriter();
        if (common != null && common.debug) {
            failure.printStackTrace(new PrintWriter(stack));
        }
        String name = command.getCommandSpec().qualifiedName();
        String message = Failures.line(failure);
        say(command, name + ": " + message + (exit == ExitCodes.USAGE ? help(name, message) : ""), stack.toString());
        return exit;
    }

    private String help(String name, String message) {
        return " (" + configured.hint(message) + "see '" + name + " --help')";
    }

    private void say(CommandLine command, String message, String stack) {
        environment.streams().err().println(form(command).line("ERROR", message, stack));
    }
}
