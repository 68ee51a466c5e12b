package io.longhaul.cli;

import io.longhaul.cli.option.HostPort;
import io.longhaul.cli.perf.ResultLine;
import io.longhaul.cli.terminal.Console;
import io.longhaul.cli.terminal.JsonLine;
import io.longhaul.cli.terminal.Shown;
import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.perf.PerfResult;
import io.longhaul.ptcp.perf.PerfServer;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code longhaul ptcp-perf server}. */
@Command(
        name = "server",
        header = "Serve measurements until stopped.",
        description = {
            "Takes tests of 'longhaul ptcp-perf client', one after the other or several at a time, and prints a result for"
                    + " each. It listens on a loopback address unless --listen names another one. There is no"
                    + " authentication: whoever reaches the address may send test bytes, which are thrown away, and may"
                    + " have test bytes sent."
        },
        footer = {"", "Example:", "  longhaul ptcp-perf server --listen 192.0.2.7:7450"})
final class PtcpPerfServerCommand implements Callable<Integer> {
    private static final String DEFAULT_LISTEN = "127.0.0.1:7450";
    private static final int PACKET_BYTES = 1024 * 1024;

    private final Environment environment;

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private PtcpOptions options = new PtcpOptions();

    @Mixin
    private TlsOptions tls = new TlsOptions();

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            converter = HostPort.Converter.class,
            description = "Where clients connect; port 0 takes a free one. Default: " + DEFAULT_LISTEN + ".")
    private HostPort listen = HostPort.parse(DEFAULT_LISTEN);

    PtcpPerfServerCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        Console console = common.console(environment);
        PtcpConfig defaults = PtcpConfig.defaults();
        PtcpConfig config = options.applyTo(
                defaults.withMaxStreams(PtcpConfig.MOST_STREAMS).withSizes(PACKET_BYTES, defaults.windowBytes()));
        PerfServer.Settings settings =
                new PerfServer.Settings(listen.host(), listen.port(), tls(), PtcpOptions.threads());
        try (PerfServer server =
                PerfServer.launch(settings, config, PtcpOptions.machine(environment), new Printing(console))) {
            ready(console, new HostPort(listen.host(), server.port()));
            environment.stop().await(new CompletableFuture<>(), Deadline.FOREVER_NS);
        }
        return ExitCodes.OK;
    }

    private Optional<PerfServer.Tls> tls() {
        return tls.pair().map(files -> new PerfServer.Tls(files.certificate(), files.key()));
    }

    private static void ready(Console console, HostPort actual) {
        console.event(JsonLine.of("ready")
                .with("command", "ptcp-perf")
                .with("listen", actual.toString())
                .with("host", actual.host())
                .with("port", actual.port())
                .with("pid", ProcessHandle.current().pid()));
        console.say("longhaul: measurements are served on " + actual);
    }

    /** Prints on threads that may wait for whoever reads. */
    private final class Printing implements PerfServer.Observer {
        private final Console console;

        Printing(Console console) {
            this.console = console;
        }

        @Override
        public void tested(String from, PerfResult result) {
            environment
                    .threads()
                    .execute(() -> console.result(ResultLine.text(from, result), ResultLine.object(from, result)));
        }

        @Override
        public void failed(String reason) {
            environment.threads().execute(() -> {
                console.event(JsonLine.of("failed").with("reason", reason));
                console.say("longhaul: " + Shown.escaped(reason));
            });
        }
    }
}
