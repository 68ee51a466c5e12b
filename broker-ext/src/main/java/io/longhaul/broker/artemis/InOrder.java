package io.longhaul.broker.artemis;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongConsumer;

/** Tells how far everything is done, of things that are begun in order and done in any. Thread-safe. */
final class InOrder {
    private final LongConsumer doneThrough;
    private final Deque<Item> open = new ArrayDeque<>(); // guarded by this

    private static final class Item {
        final long number;
        boolean done; // guarded by the outer instance

        Item(long number) {
            this.number = number;
        }
    }

    /** Takes what is told the number up to which all are done, without a lock and perhaps out of order. */
    InOrder(LongConsumer doneThrough) {
        this.doneThrough = doneThrough;
    }

    /** Begins something; returns what is to be run, once or more often, when it is done. */
    synchronized Runnable begin(long number) {
        Item item = new Item(number);
        open.add(item);
        return () -> done(item);
    }

    private void done(Item item) {
        long through = -1;
        synchronized (this) {
            item.done = true;
            for (Item first = open.peek(); first != null && first.done; first = open.peek()) {
                through = first.number;
                open.remove();
            }
        }
        if (through >= 0) {
            doneThrough.accept(through);
        }
    }
}
