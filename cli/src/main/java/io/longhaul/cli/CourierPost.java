package io.longhaul.cli;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.courier.Courier;
import io.longhaul.agent.courier.CourierConfig;
import io.longhaul.agent.courier.CourierListener;
import io.longhaul.cli.state.Footprint;
import io.longhaul.cli.terminal.Console;
import io.longhaul.gridftp.post.Post;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** The messages of a bridge as parcels of a courier. Thread-safe. */
final class CourierPost implements Post {
    private final Courier courier;
    private final Console console;
    private final DataWatch watch;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Map<String, String> refusals = new ConcurrentHashMap<>();

    private CourierPost(Courier courier, Console console, DataWatch watch) {
        this.courier = courier;
        this.console = console;
        this.watch = watch;
    }

    /** Connects and claims the endpoint's name, see {@link Opening}. */
    static CourierPost open(CourierConfig config, Environment environment, Console console) {
        Footprint footprint = Footprint.of(config.data());
        Courier courier = Opening.of(() -> Courier.open(config), config.broker(), footprint, environment);
        return new CourierPost(courier, console, DataWatch.begin(config.data(), environment));
    }

    /** Returns a future that fails when nothing more will come, since another process holds the name or a right is gone. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    @Override
    public String name() {
        return courier.name();
    }

    @Override
    public void send(String to, Urgency urgency, ByteBuffer message) throws InterruptedException {
        // the courier keeps what it is given until a broker has it
        ByteBuffer kept = ByteBuffer.allocate(message.remaining())
                .put(message.duplicate())
                .flip();
        courier.send(to, urgency(urgency), kept);
    }

    private static io.longhaul.agent.courier.Urgency urgency(Urgency urgency) {
        return switch (urgency) {
            case URGENT -> io.longhaul.agent.courier.Urgency.URGENT;
            case BULK -> io.longhaul.agent.courier.Urgency.BULK;
        };
    }

    @Override
    public void listen(Listener listener) {
        courier.listen(new CourierListener() {
            @Override
            public void received(String from, ByteBuffer body) {
                refusals.remove(from);
                listener.received(from, body);
            }

            @Override
            public void disconnected(String why) {
                console.say("longhaul: connection to the broker lost, retrying: " + why);
            }

            @Override
            public void reconnected() {
                console.say("longhaul: connected to the broker again");
                listener.reconnected();
            }

            @Override
            public void refused(String to, AgentException reason) {
                // each message to it has the same fate
                String line = Failures.line(reason);
                if (!line.equals(refusals.put(to, line))) {
                    console.warn("longhaul: endpoint " + to + ": " + line);
                }
            }

            @Override
            public void ended(AgentException reason) {
                ended.completeExceptionally(reason);
            }
        });
    }

    @Override
    public void close() {
        watch.close();
        courier.close();
    }
}
