package io.longhaul.cli;

import io.longhaul.agent.AgentException;
import io.longhaul.cli.doctor.DataChecks;
import io.longhaul.cli.doctor.Finding;
import io.longhaul.cli.doctor.LinkChecks;
import io.longhaul.cli.doctor.MachineChecks;
import io.longhaul.cli.doctor.NetworkChecks;
import io.longhaul.cli.option.HostPort;
import io.longhaul.cli.terminal.Console;
import io.longhaul.cli.terminal.JsonLine;
import io.longhaul.storage.Disk;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code longhaul doctor}. */
@Command(
        name = "doctor",
        header = "Check this machine and say what to do.",
        description =
                "Looks at Java, locale, memory, limits, clock, disk and ports, at a data directory and at a broker with its"
                        + " links when they are given. Exit code 0 when everything works (warnings included), 4 when something will not.",
        footer = {"", "Example:", "  longhaul doctor --data /srv/site-a --broker broker.example.org:7400"})
final class DoctorCommand implements Callable<Integer>, StopsAtOnce {
    private final Environment environment;

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Data directory to look at; need not exist. Default: the state directory.")
    private @Nullable Path data;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            converter = HostPort.Converter.class,
            description = "Address that a broker is to listen on. Default: " + BrokerCommand.DEFAULT_LISTEN + ".")
    private HostPort listen = HostPort.parse(BrokerCommand.DEFAULT_LISTEN);

    DoctorCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws InterruptedException {
        Console console = common.console(environment);
        Path directory = data != null ? data : environment.state().root();
        List<Finding> findings = new ArrayList<>(MachineChecks.all(Instant.now()));
        findings.addAll(new DataChecks(directory, Disk.real(), environment.nanoTime()).all());
        findings.add(NetworkChecks.listen(listen.host(), listen.port()));
        if (connection.broker != null) {
            Finding reached = NetworkChecks.broker(connection.broker);
            findings.add(reached);
            if (reached.state() == Finding.State.OK) {
                findings.addAll(links());
            }
        }
        findings.forEach(finding -> print(console, finding));
        boolean failed = findings.stream().anyMatch(finding -> finding.state() == Finding.State.FAILED);
        return failed ? ExitCodes.FAILED : ExitCodes.OK;
    }

    private List<Finding> links() throws InterruptedException {
        try {
            return LinkChecks.of(connection.network(environment).ask());
        } catch (AgentException e) {
            boolean unknown = connection.user.isEmpty() && e.code() == AgentException.Code.REFUSED;
            return List.of(new Finding(
                    "network",
                    unknown ? Finding.State.WARNING : Finding.State.FAILED,
                    String.valueOf(e.getMessage()),
                    unknown
                            ? "give --user and a password to have its links looked at"
                            : "check user, password, certificates, and that a broker of Longhaul listens there"));
        }
    }

    private static void print(Console console, Finding finding) {
        String state = finding.state().name().toLowerCase(Locale.ROOT);
        console.result(
                String.format(Locale.ROOT, "%-8s %-10s %s", state, finding.check(), finding.found())
                        + (finding.advice().isEmpty() ? "" : System.lineSeparator() + "    -> " + finding.advice()),
                JsonLine.of("finding")
                        .with("check", finding.check())
                        .with("state", state)
                        .with("found", finding.found())
                        .with("advice", finding.advice()));
    }
}
