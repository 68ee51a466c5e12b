package io.longhaul.it.bench.contender;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Node;
import java.nio.file.Path;
import java.util.List;

/** A broker, subscribers, and a publisher that ends when the broker has everything on its disk. */
public final class Longhaul implements Contender {
    private static final String TOPIC = "bench";

    private Network network;
    private Stage stage;
    private List<Node> subscribers = List.of();
    private int sent;
    private Path last;

    @Override
    public void start(Stage where, int receivers) {
        stage = where;
        network = Network.of(where.testbed());
        stage.startCounted(Profiler.watch(network.broker().withMachine("-Xmx2g")))
                .awaitReady();
        subscribers = network.subscribers("subscriber", receivers, TOPIC);
        subscribers.forEach(node -> stage.startCounted(Profiler.watch(node)));
        subscribers.forEach(node -> node.child().awaitReady());
    }

    @Override
    public double run(Path source) {
        last = source;
        sent++;
        Child publisher = stage.startCounted(Profiler.watch(network.publisher("publisher", source, TOPIC)));
        stage.finish(publisher);
        long end = Stage.lastDelivered(subscribers.stream().map(Node::child).toList(), sent);
        return Stage.seconds(publisher.startedNanos(), end);
    }

    @Override
    public void finish() {
        Profiler.finish(subscribers);
        Profiler.finish(List.of(network.broker()));
    }

    @Override
    public Path arrived(int receiver) {
        return subscribers.get(receiver).into().resolve(last.getFileName());
    }
}
