package io.longhaul.agent.repair;

import io.longhaul.storage.Ledger;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.RetainedQuery;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The transfers of an archive in the order of their topic, for those who ask for them a page at a time.
 *
 * <p>Their places are looked up when somebody asks for the first page, and serve the pages behind it for a minute, so that an archive of
 * very many is not looked through for each of them. What has come since is found by the asker's next pass. May be used from
 * any thread.
 */
final class Shelf {
    private static final long LONGEST_NS = TimeUnit.MINUTES.toNanos(1);

    private final Ledger ledger;
    private final Set<TransferState> states;
    private final LongSupplier nanoTime;
    private @Nullable Places last; // guarded by this

    /** Where what is archived of a topic has its places, first ones first. */
    private record Places(String topic, String archive, long sinceNs, List<Ledger.Place> all) {
        boolean serves(RetainedQuery query, String of, long nowNs) {
            return query.afterOrder() >= 0
                    && topic.equals(query.topic())
                    && archive.equals(of)
                    && nowNs - sinceNs < LONGEST_NS;
        }
    }

    Shelf(Ledger ledger, Set<TransferState> states, LongSupplier nanoTime) {
        this.ledger = ledger;
        this.states = states;
        this.nanoTime = nanoTime;
    }

    /** Returns what comes behind the place that the question names, by order and identity; rows are read as they are taken. */
    Iterator<TransferRow> behind(RetainedQuery query, String archive) {
        List<Ledger.Place> all = places(query, archive);
        int from = firstOf(all, query.afterOrder());
        int to = from;
        while (to < all.size() && all.get(to).order() == query.afterOrder()) {
            to++;
        }
        Stream<TransferRow> same =
                inOrder(all.subList(from, to)).filter(row -> row.transferId().compareTo(query.afterTransfer()) > 0);
        return Stream.concat(same, groups(all.subList(to, all.size())).flatMap(this::inOrder))
                .iterator();
    }

    private synchronized List<Ledger.Place> places(RetainedQuery query, String archive) {
        long nowNs = nanoTime.getAsLong();
        Places known = last;
        if (known == null || !known.serves(query, archive, nowNs)) {
            known = new Places(query.topic(), archive, nowNs, ledger.places(query.topic(), archive, states));
            last = known;
        }
        return known.all;
    }

    /** Returns the index of the first place of at least that order. */
    private static int firstOf(List<Ledger.Place> all, long order) {
        int low = 0;
        int high = all.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (all.get(middle).order() < order) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Those of the same order together: they are told apart by their identities, which only the rows have. */
    private static Stream<List<Ledger.Place>> groups(List<Ledger.Place> places) {
        return Stream.iterate(0, at -> at < places.size(), at -> endOfGroup(places, at))
                .map(at -> places.subList(at, endOfGroup(places, at)));
    }

    private static int endOfGroup(List<Ledger.Place> places, int at) {
        int end = at + 1;
        while (end < places.size() && places.get(end).order() == places.get(at).order()) {
            end++;
        }
        return end;
    }

    private Stream<TransferRow> inOrder(List<Ledger.Place> sameOrder) {
        List<TransferRow> rows = new ArrayList<>();
        for (Ledger.Place place : sameOrder) {
            Optional<TransferRow> row = ledger.transfer(place.key());
            row.ifPresent(rows::add);
        }
        rows.sort(Comparator.comparing(TransferRow::transferId));
        return rows.stream();
    }
}
