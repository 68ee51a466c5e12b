package io.longhaul.agent.receive;

import io.longhaul.wire.RetainedAnswer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where a question for what is retained has come to, and how the pages of several archives make one: all that is in any of
 * them, up to the end of the page that ends first and has more behind it. Pure; one thread at a time.
 */
final class RetainedPages {
    private static final Key START = new Key(-1, "");

    private Key after = START;
    private boolean last;

    /** The place of a transfer in the order of a topic. */
    private record Key(long order, String transfer) implements Comparable<Key> {
        private static final Comparator<Key> ORDER =
                Comparator.comparingLong(Key::order).thenComparing(Key::transfer);

        static Key of(RetainedAnswer.Retained retained) {
            return new Key(retained.order(), retained.manifest().transfer().toString());
        }

        @Override
        public int compareTo(Key other) {
            return ORDER.compare(this, other);
        }
    }

    /** Goes back to the beginning. */
    void rewind() {
        after = START;
        last = false;
    }

    /** Returns the order of the last transfer so far; -1 before the first page. */
    long afterOrder() {
        return after.order();
    }

    /** Returns the identity of the last transfer so far; empty before the first page. */
    String afterTransfer() {
        return after.transfer();
    }

    /** Returns whether nothing is behind the last page. */
    boolean isLast() {
        return last;
    }

    /** Takes all answers to one question; returns what is in the page, in order. */
    List<RetainedAnswer.Retained> next(List<RetainedAnswer> answers) {
        TreeMap<Key, RetainedAnswer.Retained> all = new TreeMap<>();
        @Nullable Key end = null;
        for (RetainedAnswer answer : answers) {
            Key own = end(answer, all);
            if (answer.more() && own.compareTo(after) > 0 && (end == null || own.compareTo(end) < 0)) {
                end = own;
            }
        }
        last = end == null;
        after = end == null ? after : end;
        return new ArrayList<>((end == null ? all : all.headMap(end, true)).values());
    }

    private Key end(RetainedAnswer answer, TreeMap<Key, RetainedAnswer.Retained> all) {
        Key end = after;
        for (RetainedAnswer.Retained each : answer.transfers()) {
            Key key = Key.of(each);
            if (key.compareTo(after) > 0) {
                all.putIfAbsent(key, each);
                end = key.compareTo(end) > 0 ? key : end;
            }
        }
        return end;
    }
}
