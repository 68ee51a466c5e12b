package io.longhaul.cli;

import io.longhaul.agent.Agent;
import io.longhaul.agent.AgentConfig;
import io.longhaul.agent.AgentException;
import io.longhaul.agent.Delivered;
import io.longhaul.agent.Publication;
import io.longhaul.agent.PublicationResult;
import io.longhaul.agent.PublishRequest;
import io.longhaul.agent.SubscribeRequest;
import io.longhaul.agent.SubscriptionListener;
import io.longhaul.broker.Broker;
import io.longhaul.broker.BrokerConfig;
import io.longhaul.cli.terminal.Amounts;
import io.longhaul.cli.terminal.Console;
import io.longhaul.cli.terminal.JsonLine;
import io.longhaul.cli.terminal.Shown;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A broker, three subscribers and a publisher in this process, a file from one to three, and the comparison. */
final class Quickstart {
    private static final String TOPIC = "quickstart";
    private static final List<String> SITES = QuickstartPlace.SITES;

    private final Environment environment;
    private final Console console;
    private final QuickstartPlace place;
    private final Map<String, CompletableFuture<Delivered>> deliveries = new TreeMap<>();

    Quickstart(Environment environment, Console console, QuickstartPlace place) {
        this.environment = environment;
        this.console = console;
        this.place = place;
        SITES.forEach(site -> deliveries.put(site, new CompletableFuture<>()));
    }

    /** Runs all of it; returns the exit code. */
    int run(Optional<Path> given) {
        Path source = given.orElse(null);
        if (source == null) {
            console.say("longhaul: generating a file of 64 MiB ...");
            source = place.sample();
        }
        long startNs = environment.nanoTime().getAsLong();
        Deque<AutoCloseable> open = new ArrayDeque<>();
        PublicationResult result;
        try {
            result = carried(open, source);
        } finally {
            closeAll(open);
        }
        return report(source, result, (environment.nanoTime().getAsLong() - startNs) / 1e9);
    }

    private PublicationResult carried(Deque<AutoCloseable> open, Path source) {
        console.say("longhaul: starting a broker ...");
        Broker broker = Broker.launch(
                BrokerConfig.of("quickstart", place.machinery("broker")).withListen("127.0.0.1:0"));
        open.push(broker);
        String url = "127.0.0.1:" + broker.port();
        deliveries.forEach((site, delivery) -> {
            Agent agent = agent(site, url);
            open.push(agent);
            open.push(agent.subscribe(SubscribeRequest.of(TOPIC, site, place.site(site)), listener(site, delivery)));
        });
        console.say("longhaul: " + SITES.size() + " subscribers on topic " + TOPIC + " at " + url + "; publishing "
                + Shown.quoted(source.toString()) + " ...");
        Agent publisher = agent("publisher", url);
        open.push(publisher);
        Publication publication =
                publisher.publish(PublishRequest.of(source, TOPIC).withReceipts(SITES.size()));
        return awaited(publication);
    }

    private Agent agent(String name, String url) {
        return Agent.open(AgentConfig.of(name, place.machinery(name), url), new Notices(console));
    }

    private SubscriptionListener listener(String site, CompletableFuture<Delivered> delivery) {
        return new SubscriptionListener() {
            @Override
            public void ended(Delivered delivered) {
                delivery.complete(delivered);
            }

            @Override
            public void notice(String line) {
                console.say("longhaul: " + site + ": " + line);
            }
        };
    }

    private PublicationResult awaited(Publication publication) {
        CompletableFuture<?> all = CompletableFuture.allOf(
                publication.result(),
                CompletableFuture.allOf(deliveries.values().toArray(CompletableFuture<?>[]::new)));
        CompletableFuture<?> end = CompletableFuture.anyOf(all, failureOf(publication));
        StopSignal.Cause cause = ProgressTicker.during(
                environment,
                console,
                () -> List.of(publication.progress()),
                () -> environment.stop().await(end, Deadline.FOREVER_NS));
        if (cause == StopSignal.Cause.STOPPED) {
            throw new AgentException(AgentException.Code.INTERRUPTED, "stopped before everything was delivered");
        }
        try {
            return publication.result().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException known ? known : e;
        }
    }

    /** Completes only when the publication fails. */
    private static CompletableFuture<Void> failureOf(Publication publication) {
        CompletableFuture<Void> failure = new CompletableFuture<>();
        publication.result().whenComplete((result, thrown) -> {
            if (thrown != null) {
                failure.completeExceptionally(thrown);
            }
        });
        return failure;
    }

    private int report(Path source, PublicationResult result, double seconds) {
        int wrong = 0;
        console.result(
                "published " + Shown.quoted(source.toString()) + ": " + result.length() + " bytes sha256:"
                        + result.digest() + ", " + Amounts.count(result.pieces(), "piece"),
                JsonLine.of("published")
                        .with("transfer", result.transfer())
                        .with("path", source.toString())
                        .with("bytes", result.length())
                        .with("digest", result.digest())
                        .with("pieces", result.pieces())
                        .with("seconds", result.seconds()));
        for (Map.Entry<String, CompletableFuture<Delivered>> delivery : deliveries.entrySet()) {
            Delivered delivered = delivery.getValue().join();
            boolean same =
                    result.digest().equals(delivered.receipt().digest()) && SameContent.of(source, delivered.path());
            wrong += same ? 0 : 1;
            console.result(
                    delivery.getKey() + " has " + Shown.quoted(delivered.path().toString()) + ": "
                            + (same
                                    ? "the same bytes"
                                    : "OTHER BYTES, sha256:"
                                            + delivered.receipt().digest()),
                    JsonLine.of("delivered")
                            .with("subscription", delivery.getKey())
                            .with("path", delivered.path().toString())
                            .with("bytes", delivered.receipt().length())
                            .with("digest", delivered.receipt().digest())
                            .with("seconds", delivered.seconds())
                            .with("same", same));
        }
        console.result(
                wrong == 0
                        ? "delivered to " + SITES.size() + " subscribers in " + Amounts.seconds(seconds) + ", "
                                + Amounts.rate(result.length() * SITES.size() / Math.max(seconds, 0.001))
                                + " in all; the files are in " + place.root()
                        : wrong + " of " + SITES.size() + " deliveries are wrong; look into " + place.root(),
                JsonLine.of("quickstart")
                        .with("ok", wrong == 0)
                        .with("subscribers", SITES.size())
                        .with("seconds", seconds)
                        .with("directory", place.root().toString()));
        return wrong == 0 ? ExitCodes.OK : ExitCodes.VERIFICATION;
    }

    private void closeAll(Deque<AutoCloseable> open) {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                console.say("longhaul: while closing: " + Failures.line(e));
            }
        }
    }
}
