package io.longhaul.cli;

import io.longhaul.agent.AgentConfig;
import io.longhaul.agent.NetworkView;
import io.longhaul.agent.courier.CourierConfig;
import io.longhaul.broker.users.SmallFile;
import io.longhaul.cli.option.OptionValue;
import io.longhaul.cli.option.TimeSpan;
import io.longhaul.cli.state.AgentName;
import io.longhaul.cli.state.AgentNote;
import io.longhaul.cli.terminal.Console;
import io.longhaul.storage.StorageException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a command reaches its broker, and as whom. */
final class ConnectionOptions {
    @Option(
            names = "--broker",
            paramLabel = "URL",
            description =
                    "The broker: HOST:PORT, with '?tls=true&ca=FILE' for TLS; HOST:PORT,HOST:PORT for both of a pair. In full"
                            + " ptcp://HOST:PORT?streams=N&proxy=http://HOST:PORT with N of 1..64 or auto;"
                            + " or tcp://HOST:PORT, where a broker has --listen-core.")
    @Nullable
    String broker;

    @Option(names = "--user", paramLabel = "USER", description = "User name at the broker. Default: none.")
    String user = "";

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "File whose first line is the password. Default: the environment's LONGHAUL_PASSWORD.")
    @Nullable
    Path passwordFile;

    @Option(
            names = "--connect-timeout",
            paramLabel = "TIME",
            converter = TimeSpan.class,
            description = "How long the first connection may take. Default: 30s. Later losses are retried for ever.")
    Duration connectTimeout = Duration.ofSeconds(30);

    /** Returns the broker's URL; a usage error when there is none. */
    String url() {
        if (broker == null || broker.isBlank()) {
            throw new IllegalArgumentException("missing --broker URL (for example --broker 127.0.0.1:7400)");
        }
        return broker;
    }

    /** Returns how an agent of these options is set up; the overall timeout bounds the first connection too. */
    AgentConfig config(String name, Path data, Optional<Duration> timeout, Environment environment) {
        Duration connect = timeout.filter(t -> t.compareTo(connectTimeout) < 0).orElse(connectTimeout);
        return AgentConfig.of(name, OptionValue.directory("--data", data), url())
                .withCredentials(user, password(environment))
                .withConnectTimeout(connect);
    }

    /** Returns how a courier of these options is set up. */
    CourierConfig courier(String name, Path data, Environment environment) {
        return CourierConfig.of(name, OptionValue.directory("--data", data), url())
                .withCredentials(user, password(environment))
                .withConnectTimeout(connectTimeout);
    }

    /** Returns how the agent that owns a data directory was set up last; options that are given win. */
    AgentConfig configOfNote(Path data, Optional<Duration> timeout, Environment environment, Console console) {
        AgentNote note = AgentNote.read(data).orElse(new AgentNote("", "", ""));
        if (broker == null && note.broker().isEmpty()) {
            throw new IllegalArgumentException("missing --broker URL: " + data
                    + " does not tell which one was used last," + " as after a program that uses the SDK");
        }
        if (broker == null) {
            broker = note.broker();
        }
        if (user.isEmpty()) {
            user = note.user();
        }
        return config(name(data, console), data, timeout, environment).withHolder(false);
    }

    /** Returns the name of the agent of a data directory, whose user hears of the damage that was found in it. */
    static String name(Path data, Console console) {
        return AgentName.ofPublisher(data, finding -> console.say("longhaul: ledger: " + finding));
    }

    /** Returns whom these options ask about the network. */
    NetworkView network(Environment environment) {
        return new NetworkView(url(), user, password(environment), connectTimeout, environment.nanoTime());
    }

    private String password(Environment environment) {
        return password("", user, passwordFile, environment);
    }

    /**
     * Returns the password; empty for no user.
     *
     * @param kind what names of these options begin with, such as {@code link-}
     */
    static String password(String kind, String user, @Nullable Path file, Environment environment) {
        if (user.isEmpty() && file != null) {
            throw new IllegalArgumentException(
                    "--" + kind + "password-file " + file + ": expected --" + kind + "user USER with it, found none");
        }
        if (user.isEmpty()) {
            return "";
        }
        String variable = "LONGHAUL_" + kind.replace('-', '_').toUpperCase(Locale.ROOT) + "PASSWORD";
        String password = file == null ? environment.variable(variable) : firstLine(file);
        if (password.isEmpty()) {
            throw new IllegalArgumentException(
                    file == null
                            ? "--" + kind + "user " + user + " needs a password: set " + variable + " or give --" + kind
                                    + "password-file FILE"
                            : "--" + kind + "password-file " + file
                                    + ": expected the password as its first line, found an empty one");
        }
        return password;
    }

    /** Reads a secret from a file; the line's end does not belong to it. */
    static String firstLine(Path file) {
        try {
            return SmallFile.text(file).lines().findFirst().orElse("");
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(
                    "read password from " + file + ": expected text in UTF-8, found other bytes", e);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    StorageException.of("read password from", file, e).getMessage(), e);
        }
    }
}
