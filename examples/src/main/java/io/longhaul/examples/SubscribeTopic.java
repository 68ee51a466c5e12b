package io.longhaul.examples;

import io.longhaul.agent.Agent;
import io.longhaul.agent.AgentConfig;
import io.longhaul.agent.Delivered;
import io.longhaul.agent.SubscribeRequest;
import io.longhaul.agent.Subscription;
import io.longhaul.agent.SubscriptionListener;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Takes the files of a topic into a directory until a number of transfers has ended.
 *
 * <pre>
 * java -cp 'examples/target/lib/*' io.longhaul.examples.SubscribeTopic BROKER DATA TOPIC NAME DIRECTORY COUNT
 * </pre>
 *
 * The subscription is durable: what is published while this program does not run waits for it.
 */
public final class SubscribeTopic {
    private static final int ARGUMENTS = 6;

    private SubscribeTopic() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments.length != ARGUMENTS) {
            System.err.println("usage: SubscribeTopic BROKER DATA TOPIC NAME DIRECTORY COUNT");
            System.exit(2);
        }
        String name = arguments[3];
        Printer printer = new Printer(new AtomicInteger(Integer.parseInt(arguments[5])), new CompletableFuture<>());
        AgentConfig config = AgentConfig.of(name, Path.of(arguments[1]), arguments[0]);
        SubscribeRequest request = SubscribeRequest.of(arguments[2], name, Path.of(arguments[4]));

        try (Agent agent = Agent.open(config);
                Subscription subscription = agent.subscribe(request, printer)) {
            System.out.println("subscribed to " + subscription.topic() + " as " + subscription.name());
            // Ends also when the subscription cannot go on, as without its directory: it says why.
            CompletableFuture.anyOf(printer.done(), subscription.closed()).get();
        }
    }

    /**
     * Called on a thread of the subscription, in order. The receipt is in the network when {@code ended} is called; killed
     * before that has returned, the subscription tells of the transfer again.
     */
    private record Printer(AtomicInteger open, CompletableFuture<Void> done) implements SubscriptionListener {
        @Override
        public void ended(Delivered delivered) {
            System.out.println(delivered.receipt().outcome() + " " + delivered.name() + ": " + delivered.path() + ", "
                    + delivered.receipt().length() + " bytes, SHA-256 "
                    + delivered.receipt().digest());
            if (open.decrementAndGet() == 0) {
                done.complete(null);
            }
        }

        @Override
        public void notice(String line) {
            System.err.println(line);
        }
    }
}
