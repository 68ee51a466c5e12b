package io.longhaul.it.bench.contender;

import java.nio.file.Path;
import java.util.List;

/** A way to bring files to receivers, set up for one round; it ends with the round's {@link Stage}. */
public interface Contender {

    /** Returns the programs that it needs; without one of them it is left out. */
    default List<String> programs() {
        return List.of();
    }

    /** Starts servers and that many receivers; returns when all of them wait. */
    void start(Stage stage, int receivers);

    /**
     * Brings a file, or a directory with all in it, to all receivers.
     *
     * @return seconds from the start of the sender until the last receiver has everything on its disk
     */
    double run(Path source);

    /** Is told that nothing more will be asked, before everything is killed. */
    default void finish() {}

    /** Returns where a receiver, counted from 0, has what it was brought last. */
    Path arrived(int receiver);
}
