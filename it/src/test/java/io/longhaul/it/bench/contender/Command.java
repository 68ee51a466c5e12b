package io.longhaul.it.bench.contender;

import io.longhaul.it.testbed.Child;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A client that copies to one server and ends; whatever it left unforced is forced before the clock stops. */
abstract class Command implements Contender {
    private Stage stage;
    private Path target;

    /** Starts the server that writes below a directory. */
    abstract void serve(Stage where, Path directory);

    /** Returns the client's command for a file, or for a directory with what is in it. */
    abstract List<String> client(Path source, boolean tree);

    /** Whether server or client force files themselves. */
    boolean syncs() {
        return false;
    }

    @Override
    public final void start(Stage where, int receivers) {
        if (receivers != 1) {
            throw new IllegalArgumentException("one receiver at a time, not " + receivers);
        }
        stage = where;
        serve(where, where.publicDirectory("into"));
    }

    @Override
    public final double run(Path source) {
        boolean tree = source.toFile().isDirectory();
        Path into = stage.publicDirectory("into");
        target = into.resolve(source.getFileName());
        if (tree) {
            stage.publicDirectory("into/" + source.getFileName());
        }
        Child client = stage.start("client", client(source, tree));
        stage.finish(client);
        if (tree && !syncs()) {
            stage.syncAll(into);
        } else if (!tree) {
            stage.sync(target, into);
        }
        return Stage.seconds(client.startedNanos(), System.nanoTime());
    }

    @Override
    public final Path arrived(int receiver) {
        return target;
    }

    static List<String> words(String first, String... more) {
        List<String> all = new ArrayList<>(List.of(first));
        all.addAll(List.of(more));
        return all;
    }
}
