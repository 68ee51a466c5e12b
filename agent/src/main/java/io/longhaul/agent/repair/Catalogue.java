package io.longhaul.agent.repair;

import io.longhaul.agent.link.Link;
import io.longhaul.agent.link.OfferListener;
import io.longhaul.agent.receive.Holdings;
import io.longhaul.storage.Direction;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.Cancel;
import io.longhaul.wire.Frame;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.Limits;
import io.longhaul.wire.Manifest;
import io.longhaul.wire.RetainedAnswer;
import io.longhaul.wire.RetainedQuery;
import io.longhaul.wire.Seal;
import io.longhaul.wire.TransferId;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Tells late subscriptions what this agent's archives retain, and every subscription the manifest and seal of a single
 * transfer, whether it is published or received here, or that it was given up. May be used from any thread.
 */
public final class Catalogue {
    private static final Logger LOG = LoggerFactory.getLogger(Catalogue.class);
    private static final int MOST_BYTES = Limits.MAX_CONTROL_BYTES / 2;

    /** Brokers drop a question that has waited for so long. */
    private static final long MOST_UNDERWAY_MILLIS = Duration.ofMinutes(1).toMillis();

    private static final Set<TransferState> RETAINED = Set.of(TransferState.DELIVERED, TransferState.RECEIPTED);
    private static final Set<TransferState> UNFINISHED =
            Set.of(TransferState.RECEIVING, TransferState.COMPLETE, TransferState.PLACING);
    private static final Set<TransferState> OVER = Set.of(TransferState.FAILED, TransferState.CANCELLED);

    private final String agent;
    private final Link link;
    private final Ledger ledger;
    private final Holdings holdings;
    private final Function<String, Optional<String>> archives;
    private final Clock clock = Clock.systemUTC();
    private final Shelf shelf;

    /** Takes what tells the subscription that archives a topic here; empty for none. */
    public Catalogue(
            String agent, Link link, Ledger ledger, Holdings holdings, Function<String, Optional<String>> archives) {
        this.agent = agent;
        this.link = link;
        this.ledger = ledger;
        this.holdings = holdings;
        this.archives = archives;
        this.shelf = new Shelf(ledger, RETAINED, System::nanoTime);
    }

    /** Answers what is asked, if there is somebody here to answer it. */
    public void asked(RetainedQuery query) {
        if (query.transfer().isEmpty()) {
            page(query);
        } else {
            transfer(query);
        }
    }

    /** Answers when both manifest and seal are known here, with the order if that is known, too. */
    private void transfer(RetainedQuery query) {
        Optional<TransferRow> published = ledger.transfer(Direction.OUTGOING, query.transfer(), "")
                .filter(row -> row.topic().equals(query.topic()));
        Stream.concat(published.stream(), ledger.transfers(Direction.INCOMING, query.transfer()).stream())
                .filter(row -> row.topic().equals(query.topic()) && isKnown(row))
                .max(Comparator.comparingLong(TransferRow::order))
                .ifPresent(row -> {
                    // where the account may not publish the topic, another holder may
                    offer(
                            Addresses.inbox(query.asker()),
                            answer(query, List.of(retained(row)), false, false),
                            "",
                            Level.DEBUG);
                });
        published.filter(row -> GivenUpHere.test(ledger, row)).ifPresent(row -> cancel(row, query.subscription()));
    }

    private boolean isKnown(TransferRow row) {
        boolean over =
                row.direction() == Direction.OUTGOING ? GivenUpHere.test(ledger, row) : OVER.contains(row.state());
        return !over && !row.manifest().isEmpty() && !row.seal().isEmpty();
    }

    /** Through the topic, where only a publisher can; each subscription has it sent once, as long as the broker knows. */
    private void cancel(TransferRow row, String subscription) {
        Cancel cancel = new Cancel(TransferId.parse(row.transferId()), "its publisher gave it up before");
        offer(Addresses.topic(row.topic()), cancel, row.transferId() + "/cancel/" + subscription, Level.DEBUG);
    }

    /** Answers when there is an archive of the topic here, also when it has nothing to tell. */
    private void page(RetainedQuery query) {
        Optional<String> archive = archives.apply(query.topic());
        if (archive.isEmpty()) {
            return;
        }
        // before the look at what is retained: what is finished in between is in the page, or was unfinished
        boolean unfinished = ledger.incoming(query.topic(), archive.get(), UNFINISHED).stream()
                .anyMatch(Catalogue::isUnfinished);
        long sinceMillis = since(query, clock.millis());
        Page page = new Page();
        Iterator<TransferRow> rows = shelf.behind(query, archive.get());
        while (rows.hasNext() && !page.more) {
            TransferRow row = rows.next();
            if (isWanted(row, sinceMillis)) {
                page.add(row);
            }
        }
        offer(Addresses.inbox(query.asker()), answer(query, page.transfers, page.more, unfinished), "", Level.WARN);
    }

    private RetainedAnswer answer(
            RetainedQuery query, List<RetainedAnswer.Retained> transfers, boolean more, boolean unfinished) {
        return new RetainedAnswer(
                query.request(), query.topic(), query.subscription(), agent, transfers, more, unfinished);
    }

    /** What fits into one answer. */
    private static final class Page {
        private final List<RetainedAnswer.Retained> transfers = new ArrayList<>();
        private long bytes;
        private boolean more;

        void add(TransferRow row) {
            bytes += row.manifest().length() * 3L + row.seal().length();
            more = transfers.size() == RetainedAnswer.MOST_TRANSFERS || !transfers.isEmpty() && bytes > MOST_BYTES;
            if (!more) {
                transfers.add(retained(row));
            }
        }
    }

    /** Returns the time that is meant, by this clock; whose own is ahead would miss what came since then. */
    private static long since(RetainedQuery query, long nowMillis) {
        long aheadMillis = query.askedMillis() - nowMillis;
        boolean wrong = query.askedMillis() > 0 && aheadMillis > MOST_UNDERWAY_MILLIS;
        return wrong ? query.sinceMillis() - aheadMillis - MOST_UNDERWAY_MILLIS : query.sinceMillis();
    }

    private boolean isWanted(TransferRow row, long sinceMillis) {
        return RETAINED.contains(row.state())
                && row.createdMillis() >= sinceMillis
                && holdings.holdThrough(row) == Long.MAX_VALUE;
    }

    /** One without a manifest, as of what was published before the archive was there, may never come. */
    private static boolean isUnfinished(TransferRow row) {
        return UNFINISHED.contains(row.state()) && !row.manifest().isEmpty();
    }

    private static RetainedAnswer.Retained retained(TransferRow row) {
        return new RetainedAnswer.Retained(
                row.order(), parse(row.manifest(), Manifest.class), parse(row.seal(), Seal.class));
    }

    private static <T extends Frame> T parse(String json, Class<T> type) {
        return FrameCodec.fromJson(json.getBytes(StandardCharsets.UTF_8), type);
    }

    private void offer(String address, Frame frame, String deduplication, Level loud) {
        try {
            link.offer(
                    address,
                    frame,
                    deduplication,
                    OfferListener.whenRefused(reason -> LOG.atLevel(loud)
                            .log(
                                    "a {} could not be sent to {}: {}",
                                    frame.type().wireName(),
                                    address,
                                    reason.getMessage())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
