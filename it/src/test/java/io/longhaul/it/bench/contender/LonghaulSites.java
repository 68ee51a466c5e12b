package io.longhaul.it.bench.contender;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.WanSites;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A publisher beside a broker, and subscribers at sites: at the brokers of relays, or all at the publisher's. */
public final class LonghaulSites implements Contender {
    private static final String TOPIC = "bench";

    private final boolean tree;
    private final String rate;
    private final List<Node> subscribers = new ArrayList<>();
    private Stage stage;
    private WanSites nodes;
    private int sent;
    private Path last;

    /** Takes whether relays pass the file on, and the rate of the sender's and of the receivers' links. */
    public LonghaulSites(boolean tree, String rate) {
        this.tree = tree;
        this.rate = rate;
    }

    @Override
    public void start(Stage where, int receivers) {
        stage = where;
        nodes = Sites.up(where, rate).nodes();
        nodes.addBroker(Sites.SENDERS);
        if (tree) {
            nodes.addBroker(Sites.FIRST_RELAY, Sites.SENDERS);
            Sites.RELAYS.forEach(relay -> nodes.addBroker(relay, Sites.FIRST_RELAY));
        }
        nodes.brokers().forEach(where::startCounted);
        nodes.brokers().forEach(broker -> broker.child().awaitReady());
        for (int i = 0; i < receivers; i++) {
            String broker = tree ? Sites.RELAYS.get(i % Sites.RELAYS.size()) : Sites.SENDERS;
            subscribers.add(nodes.subscriber(Sites.receiver(i), broker, "subscriber" + i, TOPIC));
        }
        subscribers.forEach(where::startCounted);
        subscribers.forEach(node -> node.child().awaitReady());
    }

    @Override
    public double run(Path source) {
        last = source;
        sent++;
        Child publisher = stage.startCounted(nodes.publisher(Sites.SENDERS, "publisher", source, TOPIC));
        stage.finish(publisher);
        long end = Stage.lastDelivered(subscribers.stream().map(Node::child).toList(), sent);
        return Stage.seconds(publisher.startedNanos(), end);
    }

    @Override
    public Path arrived(int receiver) {
        return subscribers.get(receiver).into().resolve(last.getFileName());
    }
}
