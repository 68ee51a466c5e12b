package io.longhaul.it.bench.contender;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Node;
import java.nio.file.Path;
import java.util.List;

/** async-profiler in Longhaul's processes, when it/bench/profile asks for it: stacks and how often each was seen. */
final class Profiler {
    private static final String LIBRARY = System.getProperty("longhaul.bench.profiler", "");
    private static final Path PROFILES = Path.of(System.getProperty("longhaul.bench.profiles", "."));

    private Profiler() {}

    static Node watch(Node node) {
        if (!LIBRARY.isEmpty()) {
            Path file = PROFILES.resolve(node.label().replaceAll("[0-9]+$", "") + "-%p.collapsed");
            node.withMachine("-agentpath:" + LIBRARY + "=start,event=itimer,interval=2ms,collapsed,file=" + file);
        }
        return node;
    }

    /** Ends nodes in peace, which a profile needs to be written. */
    static void finish(List<Node> nodes) {
        if (!LIBRARY.isEmpty()) {
            nodes.forEach(node -> node.child().terminate());
            nodes.forEach(node -> node.child().awaitExit(Child.PATIENCE));
        }
    }
}
