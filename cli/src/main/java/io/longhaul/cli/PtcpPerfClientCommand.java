package io.longhaul.cli;

import io.longhaul.cli.option.ByteSize;
import io.longhaul.cli.option.HostPort;
import io.longhaul.cli.option.StreamCount;
import io.longhaul.cli.option.TimeSpan;
import io.longhaul.cli.perf.Intervals;
import io.longhaul.cli.perf.ResultLine;
import io.longhaul.cli.terminal.Console;
import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.net.ClientTls;
import io.longhaul.ptcp.net.PtcpClient;
import io.longhaul.ptcp.perf.PerfClient;
import io.longhaul.ptcp.perf.PerfOrder;
import io.longhaul.ptcp.perf.PerfResult;
import io.longhaul.ptcp.perf.PerfTest;
import io.longhaul.ptcp.proxy.HttpProxy;
import io.longhaul.ptcp.proxy.HttpProxyException;
import io.longhaul.ptcp.proxy.HttpProxySession;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code longhaul ptcp-perf client}. */
@Command(
        name = "client",
        header = "Measure the way to a server.",
        description = {
            "Sends test bytes to 'longhaul ptcp-perf server' and prints a line for each interval, of what was acknowledged,"
                    + " and a result: what the receiver got from the first bytes of the connection to the end."
        },
        footer = {
            "",
            "Example:",
            "  longhaul ptcp-perf client 192.0.2.7:7450 --streams 4 --seconds 30s",
            "",
            "A proxy's user and password are in the environment: LONGHAUL_PROXY_USER, LONGHAUL_PROXY_PASSWORD."
        })
final class PtcpPerfClientCommand implements Callable<Integer> {
    private static final Duration DEFAULT_TIME = Duration.ofSeconds(10);

    /** A connection ends by itself; one with full buffers is cut. */
    private static final long CLOSE_NS = TimeUnit.SECONDS.toNanos(1);

    private final Environment environment;

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private PtcpOptions options = new PtcpOptions();

    @Parameters(
            index = "0",
            paramLabel = "HOST:PORT",
            converter = HostPort.RemoteConverter.class,
            description = "Where the server listens.")
    private HostPort server = new HostPort("", 0);

    @Option(
            names = "--streams",
            paramLabel = "N|auto",
            converter = StreamCount.Converter.class,
            description = "Number of TCP connections, 1 to 64; auto finds it while bytes flow. Default: auto.")
    private StreamCount streams = new StreamCount(PtcpConfig.AUTO);

    @Option(
            names = "--bytes",
            paramLabel = "SIZE",
            converter = ByteSize.Converter.class,
            description = "Test bytes to send, in the place of a time.")
    private @Nullable ByteSize bytes;

    @Option(
            names = "--seconds",
            paramLabel = "TIME",
            converter = Seconds.class,
            description = "How long to send; a plain number is seconds. Default: 10s.")
    private @Nullable Duration time;

    @Option(names = "--reverse", description = "The server sends, this end receives.")
    private boolean reverse;

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            converter = TimeSpan.class,
            description = "How often to print a line. Default: 1s.")
    private Duration interval = Duration.ofSeconds(1);

    @Option(names = "--tls", description = "Speak TLS.")
    private boolean tls;

    @Option(names = "--ca", paramLabel = "FILE", description = "Trusted authorities, PEM. Default: the system's.")
    private @Nullable Path ca;

    @Option(names = "--cert", paramLabel = "FILE", description = "Own key and certificate, PEM. Default: none.")
    private @Nullable Path certificate;

    @Option(
            names = "--verify-host",
            arity = "1",
            paramLabel = "true|false",
            description = "Whether the server's certificate must name HOST. Default: true.")
    private @Nullable Boolean verifyHost;

    @Option(
            names = "--proxy",
            paramLabel = "URL",
            description = "http://HOST:PORT of a proxy to go through. Default: none.")
    private @Nullable String proxy;

    PtcpPerfClientCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        Console console = common.console(environment);
        PerfOrder order = order();
        if (interval.isZero()) {
            throw new IllegalArgumentException("--interval: expected more than 0, found 0s");
        }
        PtcpConfig config = options.applyTo(PtcpConfig.defaults().withStreams(streams.count()));
        PtcpClient.Target target = new PtcpClient.Target(server.host(), server.port(), clientTls(), proxySession());
        try (PerfClient client = PerfClient.launch(PtcpOptions.machine(environment), PtcpOptions.threads())) {
            CompletableFuture<PerfTest> opening = client.open(target, config, order);
            if (environment.stop().await(opening, Deadline.FOREVER_NS) == StopSignal.Cause.STOPPED) {
                console.warn("longhaul: interrupted before the server had answered");
                return ExitCodes.INTERRUPTED;
            }
            return run(console, done(opening));
        }
    }

    /** A duration, or a plain number as iperf3 takes it. */
    static final class Seconds implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            return new TimeSpan().convert(text.matches("[0-9]{1,9}") ? text + "s" : text);
        }
    }

    private PerfOrder order() {
        if (bytes != null && time != null) {
            throw new IllegalArgumentException("--bytes and --seconds: expected one of them");
        }
        try {
            return bytes != null
                    ? PerfOrder.ofBytes(bytes.bytes(), reverse)
                    : PerfOrder.ofTime(time != null ? time : DEFAULT_TIME, reverse);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException((bytes != null ? "--bytes: " : "--seconds: ") + e.getMessage(), e);
        }
    }

    private Optional<ClientTls> clientTls() {
        if (tls) {
            return Optional.of(ClientTls.ofFiles(text(ca), text(certificate), verifyHost == null || verifyHost));
        }
        if (ca != null || certificate != null || verifyHost != null) {
            throw new IllegalArgumentException("--ca, --cert and --verify-host go with --tls");
        }
        return Optional.empty();
    }

    private static String text(@Nullable Path file) {
        return file == null ? "" : file.toString();
    }

    private Optional<HttpProxySession> proxySession() {
        return Optional.ofNullable(proxy)
                .map(url -> HttpProxy.parse(url, environment.variables()))
                .map(parsed -> HttpProxySession.of(parsed, environment.threads()));
    }

    private int run(Console console, PerfTest test) {
        long periodNs = interval.toNanos();
        Intervals intervals = new Intervals(console, periodNs);
        Future<?> ticks = environment
                .threads()
                .scheduleAtFixedRate(
                        () -> test.progress().thenAcceptAsync(intervals::next, environment.threads()),
                        periodNs,
                        periodNs,
                        TimeUnit.NANOSECONDS);
        try {
            if (environment.stop().await(test.result(), Deadline.FOREVER_NS) == StopSignal.Cause.STOPPED) {
                test.stop("the client was interrupted");
                console.warn("longhaul: interrupted before the test had a result");
                return ExitCodes.INTERRUPTED;
            }
            PerfResult result = done(test.result());
            intervals.end(result);
            console.result(ResultLine.text(server.toString(), result), ResultLine.object(server.toString(), result));
            environment.stop().await(test.closed(), CLOSE_NS);
            return ExitCodes.OK;
        } finally {
            ticks.cancel(false);
        }
    }

    /** Returns what is there, or throws what went wrong, with the server's name where it has none yet. */
    private <T> T done(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            if (!(e.getCause() instanceof PtcpException failure)) {
                throw e;
            }
            String message = String.valueOf(failure.getMessage());
            String named = message.startsWith(server.toString()) ? message : server + ": " + message;
            if (failure.code() == PtcpException.Code.UNREACHABLE
                    && !(failure.getCause() instanceof HttpProxyException)) {
                named = (message.contains("Connection refused") ? server + ": connection refused" : named)
                        + "; is 'longhaul ptcp-perf server' running there" + (tls ? " with TLS?" : "?");
            }
            throw new PtcpException(failure.code(), named, failure);
        }
    }
}
