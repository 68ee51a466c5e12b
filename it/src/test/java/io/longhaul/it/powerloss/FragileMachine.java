package io.longhaul.it.powerloss;

import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A machine whose power may fail: a directory that, after a power cut, holds only what was forced.
 *
 * <p>A cut moves the directory aside, for whoever looks for what was lost, and puts the image in its place.
 */
final class FragileMachine {
    private final PowerLossLayer layer;
    private final Path root;
    private final Path shadow;
    private int cuts;

    private FragileMachine(PowerLossLayer layer, Path root, Path shadow) {
        this.layer = layer;
        this.root = root;
        this.shadow = shadow;
    }

    /** Takes a directory, with what is in it now, as the disk of a machine. */
    static FragileMachine of(Testbed testbed, Path root) {
        Path shadow = testbed.directory("shadow-of-" + root.getFileName());
        FragileMachine machine = new FragileMachine(PowerLossLayer.build(), root, shadow);
        machine.layer.baseline(root, shadow);
        return machine;
    }

    /** Takes a node's home as the disk of a machine, and has the node run on it from its next start on. */
    static FragileMachine of(Testbed testbed, Node node) {
        FragileMachine machine = of(testbed, node.home());
        machine.variables().forEach(node::withVariable);
        return machine;
    }

    /** Returns the environment of processes that run on this machine. */
    Map<String, String> variables() {
        return Map.of(
                "LD_PRELOAD", layer.library().toString(),
                "POWERLOSS_ROOT", root.toString(),
                "POWERLOSS_SHADOW", shadow.toString());
    }

    /**
     * Cuts the power; every process on the machine must be dead.
     *
     * @param seed 0: nothing unforced survives; otherwise each file keeps or loses its unforced bytes, by lot
     */
    void cut(long seed) {
        List<String> mapped = mapped();
        if (!mapped.isEmpty()) {
            throw new AssertionError("files were mapped for writing, which the layer cannot see: " + mapped);
        }
        Path image = shadow.resolveSibling(shadow.getFileName() + ".image");
        System.out.println(root.getFileName() + ": power cut " + layer.cut(root, shadow, image, seed));
        try {
            cuts++;
            Files.move(root, shadow.resolveSibling(root.getFileName() + ".before-cut-" + cuts));
            Files.move(image, root);
        } catch (IOException e) {
            throw new UncheckedIOException(root + ": the image cannot take its place", e);
        }
        Trees.delete(shadow);
        layer.baseline(root, shadow);
    }

    private List<String> mapped() {
        try {
            Path report = shadow.resolve("mapped");
            return Files.exists(report) ? Files.readAllLines(report) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException("the layer's report cannot be read", e);
        }
    }
}
