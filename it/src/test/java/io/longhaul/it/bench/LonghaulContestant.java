package io.longhaul.it.bench;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.Testbed;
import java.nio.file.Path;
import java.util.List;

/** A broker, subscribers, and a publisher that ends when the broker has everything on disk. */
final class LonghaulContestant implements Contestant {
    private static final String TOPIC = "bench";

    private final Network network;
    private List<Node> subscribers = List.of();

    LonghaulContestant(Testbed testbed) {
        this.network = Network.of(testbed);
        network.broker().withMachine("-Xmx2g");
    }

    @Override
    public List<Child> receivers(Testbed testbed, int count, int files) {
        network.broker().startReady();
        subscribers = network.subscribers("receiver", count, TOPIC, "--count", Integer.toString(files));
        subscribers.forEach(Node::start);
        return subscribers.stream().map(node -> node.child().awaitReady()).toList();
    }

    @Override
    public Child send(Testbed testbed, Path source) {
        return network.publisher("publisher", source, TOPIC).start();
    }

    @Override
    public Path directory(Testbed testbed, int receiver) {
        return subscribers.get(receiver).into();
    }
}
