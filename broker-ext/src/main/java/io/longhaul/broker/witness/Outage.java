package io.longhaul.broker.witness;

import java.util.EnumSet;
import java.util.Set;

/** Which failures to ask a witness are news: the first of each kind until it answers again. Thread-safe. */
final class Outage {
    private final Set<WitnessException.Kind> told = EnumSet.noneOf(WitnessException.Kind.class); // guarded by this

    /** Notes a failure; returns whether it is one to tell of. The words of one kind change with each try. */
    synchronized boolean failed(WitnessException.Kind kind) {
        return told.add(kind);
    }

    /** Notes an answer; returns whether there was a failure to tell of before. */
    synchronized boolean answered() {
        boolean before = !told.isEmpty();
        told.clear();
        return before;
    }
}
