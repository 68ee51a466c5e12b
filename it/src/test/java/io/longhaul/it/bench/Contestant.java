package io.longhaul.it.bench;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Testbed;
import java.nio.file.Path;
import java.util.List;

/** A system under measurement, set up for one round. */
interface Contestant {

    /** Starts server and receivers of so many files; returns when all of them wait for the first. */
    List<Child> receivers(Testbed testbed, int count, int files);

    /** Starts to send a file to all receivers. */
    Child send(Testbed testbed, Path source);

    /** Returns the directory of a receiver, in which the file must appear under its own name. */
    Path directory(Testbed testbed, int receiver);
}
