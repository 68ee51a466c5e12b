package io.longhaul.cli;

import io.longhaul.cli.option.OptionValue;
import io.longhaul.gridftp.AddressBlock;
import io.longhaul.gridftp.client.ClientConfig;
import io.longhaul.gridftp.client.ClientLimits;
import io.longhaul.gridftp.client.Credentials;
import io.longhaul.gridftp.client.ServerUrl;
import io.longhaul.gridftp.file.DirectoryBackend;
import io.longhaul.gridftp.server.GridFtpBackend;
import io.longhaul.gridftp.server.Logins;
import io.longhaul.gridftp.server.ServerLogins;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.ptcp.net.PemFile;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How to reach what a URL names: a directory of this machine or a server. */
final class ServerOptions {
    private static final String FORM = "file:///DIR or ftp://[USER@]HOST[:PORT]/[PATH]";
    private static final String FILE = "file";
    private static final String FTP = "ftp";
    private static final String DATA_HOST = "--server-data-host";
    private static final String PASSWORD = "LONGHAUL_SERVER_PASSWORD";
    private static final int DISK_THREADS = 4;

    @Option(
            names = "--server-tls",
            description = "Encrypt what goes to ftp:// servers (AUTH TLS), and use none that does not.")
    private boolean tls;

    @Option(
            names = "--server-ca",
            paramLabel = "FILE",
            description = "PEM file of the authorities of --server-tls. Default: those that Java trusts.")
    private @Nullable Path authorities;

    @Option(
            names = "--server-transfers",
            paramLabel = "N",
            description =
                    "Most transfers at a time with an ftp:// server, 1 to 1000; each has a session with it, and 8 more are"
                            + " for commands. Default: 16.")
    private @Nullable Integer transfers;

    @Option(
            names = DATA_HOST,
            paramLabel = "ADDRESS[/BITS]",
            description =
                    "Where data connections with an ftp:// server may go if it says so, beside its own address: its data"
                            + " nodes; may be given several times. Default: none.")
    private List<String> dataHosts = new ArrayList<>();

    /** Whether it is a URL, rather than the name of an endpoint. */
    static boolean isUrl(String text) {
        return text.contains("://");
    }

    /**
     * Opens what a URL names; throws {@link IllegalArgumentException} for a bad one.
     *
     * @param option that it was given with
     * @param owner whose files are not whole on a server, if any
     */
    Backend open(String option, String url, String owner, Environment environment) {
        if (isServer(url)) {
            return GridFtpBackend.open(
                    config(option, url, environment), owner, environment.nanoTime(), new SecureRandom());
        }
        return DirectoryBackend.open(directory(option, url), DISK_THREADS, environment.nanoTime(), new SecureRandom());
    }

    /**
     * Opens the server that a URL names for users who log in there as somebody of their own; throws {@link
     * IllegalArgumentException} for a bad one.
     */
    ServerLogins open(String option, String url, Logins logins, String owner, Environment environment) {
        if (!isServer(url)) {
            throw new IllegalArgumentException("--logins needs an ftp:// " + option
                    + ": who uses a directory has no login there, its files are the back's own");
        }
        ClientConfig config = config(option, url, environment);
        if (config.url().user().isPresent()) {
            throw new IllegalArgumentException(
                    option + ": expected no USER@ beside --logins, whose file says who logs in");
        }
        return ServerLogins.open(config, logins, owner, environment.nanoTime(), new SecureRandom());
    }

    /** Throws {@link IllegalArgumentException} for what cannot be meant, whether or not there is a server. */
    void check() {
        if (!tls && authorities != null) {
            throw new IllegalArgumentException("--server-ca needs --server-tls");
        }
        limits();
        blocks(DATA_HOST, dataHosts);
    }

    private static boolean isServer(String url) {
        return url.startsWith(FTP + "://");
    }

    ClientConfig config(String option, String url, Environment environment) {
        ClientLimits limits = limits();
        List<AddressBlock> others = blocks(DATA_HOST, dataHosts);
        Optional<Path> trusted = Optional.ofNullable(authorities)
                .map(file -> OptionValue.read("--server-ca", file.toString(), path -> PemFile.require(Path.of(path))));
        return OptionValue.read(option, url, text -> {
            ServerUrl server = ServerUrl.parse(text);
            Credentials credentials = server.user()
                    .map(user -> new Credentials(user, environment.variable(PASSWORD)))
                    .orElseGet(Credentials::anonymous);
            ClientConfig config =
                    ClientConfig.of(server, credentials).withDataHosts(others).withLimits(limits);
            return tls ? config.withTls(trusted) : config;
        });
    }

    private ClientLimits limits() {
        ClientLimits limits = ClientLimits.defaults();
        if (transfers == null) {
            return limits;
        }
        if (transfers < 1 || transfers > ClientLimits.MOST_SESSIONS) {
            throw new IllegalArgumentException(
                    "--server-transfers: expected 1.." + ClientLimits.MOST_SESSIONS + ", found " + transfers);
        }
        return limits.withSessions(transfers, limits.commandSessions());
    }

    /** Reads the blocks of addresses that an option was given. */
    static List<AddressBlock> blocks(String option, List<String> texts) {
        return texts.stream()
                .map(text -> OptionValue.read(option, text, AddressBlock::parse))
                .toList();
    }

    /** Names with characters that URLs escape may be written as they are, or escaped. */
    private static Path directory(String option, String url) {
        String scheme = FILE + "://";
        String text = url.startsWith(scheme) ? url.substring(scheme.length()) : "";
        if (!text.startsWith("/")) {
            throw new IllegalArgumentException(option + ": expected " + FORM + ", found '" + url + "'");
        }
        try {
            return text.contains("%") ? Path.of(URI.create(scheme + text)) : Path.of(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(option + ": expected " + FORM + ", found '" + url + "'", e);
        }
    }
}
