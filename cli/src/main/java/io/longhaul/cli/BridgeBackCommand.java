package io.longhaul.cli;

import io.longhaul.cli.terminal.Console;
import io.longhaul.cli.terminal.JsonLine;
import io.longhaul.gridftp.remote.EndpointServer;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.storage.RealPath;
import io.longhaul.wire.Names;
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
import picocli.CommandLine.Option;

/** {@code longhaul bridge back}. */
@Command(
        name = "back",
        header = "Serve an endpoint to fronts until stopped.",
        description = {
            "Fronts anywhere in the network of --broker reach what --server names as --endpoint. Where the broker has"
                    + " users, the back needs the right to subscribe to the topic endpoint.NAME, fronts the right to"
                    + " publish to it."
        },
        footer = {
            "",
            "Example:",
            "  longhaul bridge back --endpoint site-a --server ftp://localhost:2811/data \\",
            "      --broker 127.0.0.1:7400 --data /var/lib/longhaul/back",
            "",
            "The file of --logins, whose own owner alone should be able to read it:",
            "  users:",
            "    alice:",
            "      login: alice                  # default: the same name",
            "      password-file: alice.secret   # its first line; beside this file",
            "    bob:",
            "      login: robert",
            "      password: 'swordfish'",
            "    anonymous:",
            "      login: anonymous              # takes no password",
            "  default:                          # everybody else; without it they are refused",
            "    login: guest",
            "    password-file: guest.secret"
        })
final class BridgeBackCommand implements Callable<Integer> {
    private final Environment environment;

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Option(
            names = "--endpoint",
            required = true,
            paramLabel = "NAME",
            description = "The name by which fronts know it, unique in the network.")
    private String endpoint = "";

    @Option(
            names = "--server",
            required = true,
            paramLabel = "URL",
            description = "What it serves: file:///DIR, or ftp://[USER@]HOST[:PORT]/[PATH] with the password in"
                    + " LONGHAUL_SERVER_PASSWORD.")
    private String server = "";

    @Option(
            names = "--logins",
            paramLabel = "FILE",
            description =
                    "YAML file that says as whom each user of a front logs in at an ftp:// server, in place of USER@; see the"
                            + " example. Default: everybody as the same one.")
    private @Nullable Path logins;

    @Mixin
    private ServerOptions options = new ServerOptions();

    @Option(
            names = "--data",
            required = true,
            paramLabel = "DIR",
            description = "Where files stay on their way to and from fronts; one process at a time.")
    private Path data = Path.of("");

    @Option(
            names = "--subscribe",
            paramLabel = "TOPIC=/PATH",
            description =
                    "What is published to the topic appears in this directory of the server; may be given several times."
                            + " The subscription has the endpoint's name, and its receipts are given once the server has the file.")
    private List<String> subscriptions = new ArrayList<>();

    @Mixin
    private ContentOptions contents = new ContentOptions();

    BridgeBackCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        Console console = common.console(environment);
        Names.endpoint(endpoint);
        options.check();
        Map<String, FilePath> topicPaths = BackSubscriptions.parse(subscriptions);
        try (BackFiles files = BackFiles.open(
                        options, server, Optional.ofNullable(logins), endpoint, !topicPaths.isEmpty(), environment);
                CourierPost post =
                        CourierPost.open(connection.courier(endpoint, data, environment), environment, console);
                EndpointServer serving = EndpointServer.open(
                        post,
                        files.backends(),
                        new EndpointServer.Settings(data.resolve("contents"), contents.limits(data)),
                        new BridgeEvents(console));
                BackSubscriptions topics = BackSubscriptions.open(
                        topicPaths,
                        files::ofTopics,
                        endpoint,
                        data,
                        new BackSubscriptions.Reach(connection, environment, console))) {
            ready(console);
            CompletableFuture<Object> ended = CompletableFuture.anyOf(post.ended(), topics.failed());
            environment.stop().await(ended, Deadline.FOREVER_NS);
            console.say("longhaul: back stops");
            serving.shutdown();
            Ending.throwIfFailed(post.ended());
            Ending.throwIfFailed(topics.failed());
        }
        return ExitCodes.OK;
    }

    private void ready(Console console) {
        console.event(JsonLine.of("ready")
                .with("command", "bridge back")
                .with("endpoint", endpoint)
                .with("server", server)
                .with("data", RealPath.withoutDots(data).toString())
                .with("pid", ProcessHandle.current().pid()));
        console.say("longhaul: back serves " + server + " as endpoint " + endpoint);
    }
}
