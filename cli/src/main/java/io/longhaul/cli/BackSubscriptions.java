package io.longhaul.cli;

import io.longhaul.agent.AgentConfig;
import io.longhaul.agent.Delivered;
import io.longhaul.agent.SubscribeRequest;
import io.longhaul.agent.Subscription;
import io.longhaul.agent.SubscriptionListener;
import io.longhaul.cli.terminal.Console;
import io.longhaul.cli.terminal.JsonLine;
import io.longhaul.cli.terminal.Shown;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.topic.ServerTarget;
import io.longhaul.wire.Names;
import io.longhaul.wire.Receipt;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Subscriptions of a back, which carry what is published on to its server. Confined to the command's thread. */
final class BackSubscriptions implements AutoCloseable {
    private static final String SUBSCRIBE = "--subscribe";
    private static final String FORM = "TOPIC=/PATH";

    private final List<AutoCloseable> open = new ArrayList<>(); // in the order of opening
    private final CompletableFuture<Void> failed = new CompletableFuture<>();

    /** How the agent reaches its broker. */
    record Reach(ConnectionOptions connection, Environment environment, Console console) {}

    private BackSubscriptions() {}

    /** Reads {@code --subscribe} options; throws {@link IllegalArgumentException} for bad ones, and for a topic that comes twice. */
    static Map<String, FilePath> parse(List<String> texts) {
        Map<String, FilePath> parsed = new LinkedHashMap<>();
        BridgePath.pairs(SUBSCRIBE, FORM, texts)
                .forEach((topic, path) ->
                        parsed.put(Names.topic(topic), BridgePath.parse(SUBSCRIBE, FORM, topic + "=" + path, path)));
        return parsed;
    }

    /**
     * Subscribes; nothing is opened where nothing is wanted.
     *
     * @param wanted topics, and the directory of the server that each goes to
     * @param server asked for where something is wanted
     * @param name of the subscriptions and their agent
     * @param data for a directory of their own
     */
    static BackSubscriptions open(
            Map<String, FilePath> wanted, Supplier<Backend> server, String name, Path data, Reach reach) {
        BackSubscriptions opened = new BackSubscriptions();
        if (wanted.isEmpty()) {
            return opened;
        }
        Backend files = server.get();
        Path directory = data.resolve("topics");
        // what it has goes once the server has it, so it promises nobody to serve it
        AgentConfig config = reach.connection()
                .config(name, directory.resolve("agent"), Optional.empty(), reach.environment())
                .withHolder(false);
        try {
            AgentSession session = AgentSession.open(config, reach.environment(), reach.console());
            opened.open.add(session);
            wanted.forEach((topic, path) -> opened.subscribe(
                    session,
                    SubscribeRequest.of(topic, name, directory.resolve("into").resolve(topic)),
                    ServerTarget.of(files, path, line -> reach.console().say("longhaul: " + line)),
                    reach.console()));
            return opened;
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    private void subscribe(AgentSession session, SubscribeRequest request, ServerTarget target, Console console) {
        open.add(target);
        Subscription subscription = session.subscribe(request.withTarget(target), new SubscriptionListener() {
            @Override
            public void ended(Delivered delivered) {
                tell(delivered, console);
            }

            @Override
            public void notice(String line) {
                console.say("longhaul: " + line);
            }
        });
        open.add(subscription);
        subscription.closed().whenComplete((closed, failure) -> {
            if (failure != null) {
                failed.completeExceptionally(failure);
            }
        });
    }

    /** What failed is for people, too: they have no other word of it. */
    static void tell(Delivered delivered, Console console) {
        Receipt receipt = delivered.receipt();
        if (receipt.outcome() == Receipt.Outcome.FAILED) {
            console.warn("longhaul: " + Shown.quoted(delivered.name()) + " of topic " + receipt.topic() + ", transfer "
                    + receipt.transfer() + ", does not reach the server: " + Shown.escaped(receipt.reason()));
        }
        console.event(JsonLine.of(Lines.word(receipt))
                .with("transfer", receipt.transfer().toString())
                .with("topic", receipt.topic())
                .with("subscription", receipt.subscription())
                .with("name", Lines.name(delivered))
                .with("bytes", receipt.length())
                .with("digest", receipt.digest())
                .with("reason", receipt.reason()));
    }

    /** Returns a future that fails when one of them cannot go on. */
    CompletableFuture<Void> failed() {
        return failed;
    }

    @Override
    public void close() {
        IllegalStateException failure = null;
        for (int i = open.size() - 1; i >= 0; i--) {
            try {
                open.get(i).close();
            } catch (Exception e) {
                if (failure == null) {
                    failure = new IllegalStateException("a subscription does not close", e);
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        open.clear();
        if (failure != null) {
            throw failure;
        }
    }
}
