package io.longhaul.cli;

import io.longhaul.cli.option.HostPort;
import io.longhaul.cli.terminal.Console;
import io.longhaul.cli.terminal.JsonLine;
import io.longhaul.gridftp.Accounts;
import io.longhaul.gridftp.AddressBlock;
import io.longhaul.gridftp.FrontConfig;
import io.longhaul.gridftp.PortRange;
import io.longhaul.gridftp.front.FrontTls;
import io.longhaul.gridftp.front.GridFtpFront;
import io.longhaul.gridftp.mount.MountTable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code longhaul bridge front}. */
@Command(
        name = "front",
        header = "Serve GridFTP and FTP clients until stopped.",
        description = {
            "Each --mount is a directory of this machine under a path that clients see. Without --auth anybody may log in"
                    + " as 'anonymous' and read and write, so it listens on loopback addresses only; --auth anonymous says"
                    + " that this is meant, wherever it listens."
        },
        footer = {
            "",
            "Example:",
            "  longhaul bridge front --listen 127.0.0.1:2811 --mount /=file:///srv/data",
            "  longhaul bridge front --listen 192.0.2.7:2811 --mount /data=file:///srv/data --auth users.yaml \\",
            "      --tls-cert cert.pem --tls-key key.pem --passive-ports 50000-51000",
            "",
            "'longhaul user add' makes the file for --auth."
        })
final class BridgeFrontCommand implements Callable<Integer> {
    private static final String DEFAULT_LISTEN = "127.0.0.1:2811";
    private static final String ANONYMOUS = "anonymous";
    private static final int MOST_THREADS = 8;

    private final Environment environment;

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private TlsOptions tls = new TlsOptions();

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            converter = HostPort.Converter.class,
            description = "Where clients connect; port 0 takes a free one. Default: " + DEFAULT_LISTEN + ".")
    private HostPort listen = HostPort.parse(DEFAULT_LISTEN);

    @Option(
            names = "--mount",
            required = true,
            paramLabel = "/PATH=file:///DIR",
            description = "What clients see at a path; may be given several times.")
    private Map<String, String> mounts = new LinkedHashMap<>();

    @Option(
            names = "--auth",
            paramLabel = "anonymous|FILE",
            description = "Who may log in: anybody, or the users of a file. Default: anybody, on loopback only.")
    private @Nullable String auth;

    @Option(names = "--require-tls", description = "Take passwords under TLS only.")
    private boolean requireTls;

    @Option(
            names = "--public-address",
            paramLabel = "ADDRESS",
            description =
                    "What clients are told to connect to for data, behind NAT. Default: the address that they came"
                            + " to.")
    private @Nullable String publicAddress;

    @Option(
            names = "--passive-ports",
            paramLabel = "FIRST-LAST",
            description = "Ports to listen on for data. Default: the system chooses.")
    private @Nullable String passivePorts;

    @Option(
            names = "--third-party",
            paramLabel = "ADDRESS[/BITS]",
            description =
                    "Servers that data may come from and go to, beside the client's own address; may be given several"
                            + " times. Default: none.")
    private List<String> thirdParties = new ArrayList<>();

    BridgeFrontCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws IOException {
        Console console = common.console(environment);
        FrontConfig config = config();
        Accounts accounts =
                auth == null || auth.equals(ANONYMOUS) ? Accounts.anonymous() : BridgeAccounts.read(Path.of(auth));
        if (!accounts.allowsAnonymous() && config.tls().isEmpty()) {
            console.say("longhaul: passwords travel in clear text; --tls-cert and --tls-key protect them");
        }
        int threads = Math.min(MOST_THREADS, Math.max(2, Runtime.getRuntime().availableProcessors()));
        try (MountTable files = BridgeMounts.open(mounts, environment.nanoTime());
                GridFtpFront front = GridFtpFront.launch(config, accounts, user -> files, threads)) {
            ready(console, new HostPort(listen.host(), front.port()));
            environment.stop().await(new CompletableFuture<>(), Deadline.FOREVER_NS);
            console.say("longhaul: front stops");
        }
        return ExitCodes.OK;
    }

    private FrontConfig config() {
        InetAddress address = address("--listen", listen.host());
        if (auth == null && !address.isLoopbackAddress()) {
            throw new IllegalArgumentException("--listen " + listen
                    + ": beyond this machine clients must log in: give --auth FILE, or --auth anonymous if anybody may read"
                    + " and write");
        }
        FrontConfig config = FrontConfig.of(new InetSocketAddress(address, listen.port()))
                .withPassive(
                        Optional.ofNullable(publicAddress).map(text -> address("--public-address", text)),
                        Optional.ofNullable(passivePorts).map(PortRange::parse).orElse(PortRange.ANY))
                .withThirdParties(thirdParties.stream().map(AddressBlock::parse).toList());
        Optional<TlsOptions.Pair> files = tls.pair();
        if (files.isPresent()) {
            return FrontTls.with(config, files.get().certificate(), files.get().key(), requireTls);
        }
        if (requireTls) {
            throw new IllegalArgumentException("--require-tls needs --tls-cert FILE and --tls-key FILE");
        }
        return config;
    }

    private static InetAddress address(String option, String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(
                    option + ": expected an address or a name that has one, found '" + text + "'", e);
        }
    }

    private void ready(Console console, HostPort actual) {
        console.event(JsonLine.of("ready")
                .with("command", "bridge front")
                .with("listen", actual.toString())
                .with("host", actual.host())
                .with("port", actual.port())
                .with("mounts", List.copyOf(mounts.keySet()))
                .with("pid", ProcessHandle.current().pid()));
        console.say("longhaul: front listens on " + actual + ", serves " + String.join(", ", mounts.keySet()));
    }
}
