package io.longhaul.cli;

import io.longhaul.agent.courier.CourierConfig;
import io.longhaul.cli.option.HostPort;
import io.longhaul.cli.option.OptionValue;
import io.longhaul.cli.state.AgentName;
import io.longhaul.cli.terminal.Console;
import io.longhaul.cli.terminal.JsonLine;
import io.longhaul.gridftp.Accounts;
import io.longhaul.gridftp.FrontConfig;
import io.longhaul.gridftp.PortRange;
import io.longhaul.gridftp.front.FrontTls;
import io.longhaul.gridftp.front.GridFtpFront;
import io.longhaul.gridftp.mount.MountTable;
import io.longhaul.gridftp.remote.RemoteFiles;
import io.longhaul.gridftp.rights.Rights;
import io.longhaul.gridftp.spi.Backends;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.transfer.FrontTransfers;
import io.longhaul.ptcp.UnknownHost;
import io.longhaul.ptcp.net.CertificateKey;
import io.longhaul.ptcp.net.PemFile;
import io.longhaul.storage.RealPath;
import io.longhaul.wire.Names;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code longhaul bridge front}. */
@Command(
        name = "front",
        header = "Serve GridFTP and FTP clients until stopped.",
        description = {
            "Each --mount is an endpoint, served by 'longhaul bridge back' somewhere in the network of --broker, a"
                    + " directory of this machine, or a GridFTP or FTP server, under a path that clients see. Without"
                    + " --auth anybody may log in as 'anonymous' and read and write, so it listens on loopback addresses"
                    + " only; --auth anonymous says that this is meant, wherever it listens."
        },
        footer = {
            "",
            "Example:",
            "  longhaul bridge front --listen 127.0.0.1:2811 --mount /=file:///srv/data",
            "  longhaul bridge front --broker 127.0.0.1:7400 --data /var/lib/longhaul/front --endpoint site-a",
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

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private TlsOptions tls = new TlsOptions();

    @Mixin
    private TopicOptions topics = new TopicOptions();

    @Mixin
    private CopyOptions copies = new CopyOptions();

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            converter = HostPort.Converter.class,
            description = "Where clients connect; port 0 takes a free one. Default: " + DEFAULT_LISTEN + ".")
    private HostPort listen = HostPort.parse(DEFAULT_LISTEN);

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Option(
            names = "--mount",
            paramLabel = "/PATH=ENDPOINT|URL",
            description =
                    "What clients see at a path: an endpoint, or file:///DIR, or ftp://[USER@]HOST[:PORT]/[PATH] with the"
                            + " password in LONGHAUL_SERVER_PASSWORD; may be given several times.")
    private List<String> mounts = new ArrayList<>();

    @Option(
            names = "--endpoint",
            paramLabel = "ENDPOINT",
            description = "What clients see, when it is that of one endpoint: the same as --mount /=ENDPOINT.")
    private @Nullable String endpoint;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description =
                    "Where files stay on their way to and from the network; one process at a time. Needed with --broker.")
    private @Nullable Path data;

    @Option(
            names = "--reply",
            paramLabel = "delivered|spooled",
            description =
                    "When a client is told that its file for an endpoint is there: when the server has it, or when it"
                            + " is durable in --data, from where it is delivered for ever. Default: delivered.")
    private FrontTransfers.Reply reply = FrontTransfers.Reply.DELIVERED;

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "The front's own name, unique in the network. Default: made of the host and --data.")
    private @Nullable String name;

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

    @Mixin
    private FrontLimitOptions limits = new FrontLimitOptions();

    @Mixin
    private ContentOptions contents = new ContentOptions();

    BridgeFrontCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws IOException {
        Console console = common.console(environment);
        FrontConfig config = config();
        server.check();
        if (name != null) {
            Names.endpoint(name);
        }
        if ("".equals(auth)) {
            throw new IllegalArgumentException("--auth: expected anonymous or a file, found ''");
        }
        Optional<BridgeAccounts> users = auth == null || auth.equals(ANONYMOUS)
                ? Optional.empty()
                : Optional.of(BridgeAccounts.read(Path.of(auth)));
        if (users.isPresent() && config.tls().isEmpty()) {
            console.say("longhaul: passwords travel in clear text; --tls-cert and --tls-key protect them");
        }
        try (BridgeMounts files = BridgeMounts.open(
                        all(),
                        (option, url, path) -> server.open(
                                option, url, AgentName.ofMount(listen.toString(), path.toString()), environment));
                ForwardServers forward = copies.open(itself(), environment.nanoTime())) {
            boolean hasEndpoints = !files.endpoints().isEmpty();
            refuseWithoutEndpoint(hasEndpoints);
            Optional<MountTable.Mount> published = topics.open(connection, data, files.paths(), environment, console);
            published.ifPresent(files::add);
            if (files.paths().isEmpty()) {
                throw new IllegalArgumentException("nothing to serve: give --endpoint ENDPOINT, --mount /PATH=ENDPOINT,"
                        + " --mount /PATH=URL, or --broker URL and --data DIR for topics");
            }
            refuseUnused(hasEndpoints, published.isPresent());
            Places places = new Places(files.paths(), users, forward);
            if (!hasEndpoints) {
                serve(config, files.local(), places, console, new CompletableFuture<>());
                return ExitCodes.OK;
            }
            Path place = data();
            try (CourierPost post = CourierPost.open(courier(place), environment, console);
                    RemoteFiles remote = RemoteFiles.open(
                            post,
                            new RemoteFiles.Settings(place.resolve("contents"), contents.limits(place), reply),
                            new BridgeEvents(console))) {
                serve(config, files.with(remote), places, console, post.ended());
                Ending.throwIfFailed(post.ended());
                return ExitCodes.OK;
            }
        }
    }

    /** Before anything connects, as topics do. */
    private void refuseWithoutEndpoint(boolean hasEndpoints) {
        if (!hasEndpoints) {
            refuse("an endpoint: --endpoint ENDPOINT or --mount /PATH=ENDPOINT", "--reply", "--name", "--disk-floor");
        }
    }

    /** Who says how the network is reached and nothing of this front goes there has mistaken something. */
    private void refuseUnused(boolean hasEndpoints, boolean hasTopics) {
        if (connection.broker == null) {
            refuse("--broker URL", "--user", "--password-file", "--connect-timeout", "--quorum", "--receipt-timeout");
        }
        if (!hasTopics) {
            refuse("topics: --topics /PATH", "--quorum", "--receipt-timeout");
        }
        if (!hasTopics && !hasEndpoints) {
            refuse("topics or an endpoint: --topics /PATH, --endpoint ENDPOINT or --mount /PATH=ENDPOINT", "--broker");
        }
    }

    private void refuse(String needed, String... options) {
        for (String option : options) {
            if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
                throw new IllegalArgumentException(option + " needs " + needed);
            }
        }
    }

    private Map<FilePath, String> all() {
        Map<FilePath, String> all = BridgeMounts.parse(mounts);
        if (endpoint != null && all.put(FilePath.ROOT, Names.endpoint(endpoint)) != null) {
            throw new IllegalArgumentException("--endpoint " + endpoint + ": --mount has another place for /");
        }
        return all;
    }

    /** Two that listen at a free port each differ in their data, if in anything. */
    private String itself() {
        String place = data == null ? "" : RealPath.withoutDots(data).toString();
        return AgentName.ofFront(listen + place);
    }

    private Path data() {
        if (data == null) {
            throw new IllegalArgumentException("missing --data DIR, which endpoints need");
        }
        return data;
    }

    private CourierConfig courier(Path place) {
        String own =
                name == null ? AgentName.ofFront(RealPath.withoutDots(place).toString()) : name;
        return connection.courier(own, place, environment);
    }

    /** What is served where, to whom, and where else it may go. */
    private record Places(List<String> paths, Optional<BridgeAccounts> users, ForwardServers forward) {}

    private void serve(
            FrontConfig config, Backends files, Places places, Console console, CompletableFuture<Void> ended)
            throws IOException {
        Accounts accounts = places.users().<Accounts>map(known -> known).orElseGet(Accounts::anonymous);
        Backends allowed = user -> places.users()
                .map(known -> known.rights(user))
                .orElse(Rights.ALL)
                .over(files.of(user));
        int threads = Math.min(MOST_THREADS, Math.max(2, Runtime.getRuntime().availableProcessors()));
        try (GridFtpFront front =
                GridFtpFront.launch(config, accounts, copies.over(allowed, places.forward()), threads)) {
            ready(console, new HostPort(listen.host(), front.port()), places.paths());
            environment.stop().await(ended, Deadline.FOREVER_NS);
            console.say("longhaul: front stops");
        }
    }

    private FrontConfig config() throws BindException {
        InetAddress address = address("--listen", listen.host());
        if (auth == null && !address.isLoopbackAddress()) {
            throw new IllegalArgumentException("--listen " + listen
                    + ": beyond this machine clients must log in: give --auth FILE, or --auth anonymous if anybody may"
                    + " read and write");
        }
        Optional<InetAddress> told =
                publicAddress == null ? Optional.empty() : Optional.of(publicAddress(publicAddress));
        FrontConfig config = FrontConfig.of(new InetSocketAddress(address, listen.port()))
                .withPassive(
                        told,
                        Optional.ofNullable(passivePorts)
                                .map(text -> OptionValue.read("--passive-ports", text, PortRange::parse))
                                .orElse(PortRange.ANY))
                .withThirdParties(ServerOptions.blocks("--third-party", thirdParties))
                .withLimits(limits.limits());
        Optional<TlsOptions.Pair> files = tls.pair();
        if (files.isPresent()) {
            TlsOptions.Pair pair = files.get();
            FrontConfig secured =
                    FrontTls.with(config, PemFile.require(pair.certificate()), PemFile.require(pair.key()), requireTls);
            CertificateKey.check(pair.certificate(), pair.key());
            return secured;
        }
        if (requireTls) {
            throw new IllegalArgumentException("--require-tls needs --tls-cert FILE and --tls-key FILE");
        }
        return config;
    }

    private static InetAddress address(String option, String text) throws BindException {
        // Java takes nothing for a name of this machine
        if (text.isBlank()) {
            throw new IllegalArgumentException(
                    option + ": expected an address or a name that has one, found '" + text + "'");
        }
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            // a name server may be away while a machine starts, so that another try is worth it
            BindException failure = new BindException(option + ": " + UnknownHost.words(text));
            failure.initCause(e);
            throw failure;
        }
    }

    private static InetAddress publicAddress(String text) throws BindException {
        InetAddress address = address("--public-address", text);
        if (address.isAnyLocalAddress() || address.isMulticastAddress()) {
            throw new IllegalArgumentException(
                    "--public-address: expected an address that clients can connect to, found '" + text + "'");
        }
        return address;
    }

    private void ready(Console console, HostPort actual, List<String> paths) {
        console.event(JsonLine.of("ready")
                .with("command", "bridge front")
                .with("listen", actual.toString())
                .with("host", actual.host())
                .with("port", actual.port())
                .with("mounts", paths)
                .with("pid", ProcessHandle.current().pid()));
        console.say("longhaul: front listens on " + actual + ", serves " + String.join(", ", paths));
    }
}
