package io.longhaul.agent.repair;

import io.longhaul.agent.link.Link;
import io.longhaul.agent.link.LinkException;
import io.longhaul.agent.link.OfferListener;
import io.longhaul.agent.receive.Holdings;
import io.longhaul.storage.Direction;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.Limits;
import io.longhaul.wire.Manifest;
import io.longhaul.wire.RetainedAnswer;
import io.longhaul.wire.RetainedQuery;
import io.longhaul.wire.Seal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells late subscriptions what this agent's archives retain. May be used from any thread. */
public final class Catalogue {
    private static final Logger LOG = LoggerFactory.getLogger(Catalogue.class);
    private static final int MOST_BYTES = Limits.MAX_CONTROL_BYTES / 2;
    private static final Set<TransferState> RETAINED = Set.of(TransferState.DELIVERED, TransferState.RECEIPTED);
    private static final Comparator<TransferRow> ORDER =
            Comparator.comparingLong(TransferRow::order).thenComparing(TransferRow::transferId);

    private final String agent;
    private final Link link;
    private final Ledger ledger;
    private final Holdings holdings;

    public Catalogue(String agent, Link link, Ledger ledger, Holdings holdings) {
        this.agent = agent;
        this.link = link;
        this.ledger = ledger;
        this.holdings = holdings;
    }

    /** Answers when there is an archive of the topic here, also when it has nothing to tell. */
    public void asked(RetainedQuery query) {
        List<TransferRow> archived = ledger.transfers(Direction.INCOMING).stream()
                .filter(row -> row.topic().equals(query.topic()) && IncomingStock.isArchived(row))
                .toList();
        if (archived.isEmpty()) {
            return;
        }
        List<TransferRow> wanted = archived.stream()
                .filter(row -> RETAINED.contains(row.state()) && row.createdMillis() >= query.sinceMillis())
                .filter(row -> isAfter(row, query))
                .filter(row -> holdings.holdThrough(row) == Long.MAX_VALUE)
                .sorted(ORDER)
                .toList();
        List<RetainedAnswer.Retained> page = new ArrayList<>();
        long bytes = 0;
        for (TransferRow row : wanted) {
            bytes += row.manifest().length() * 3L + row.seal().length();
            if (page.size() == RetainedAnswer.MOST_TRANSFERS || !page.isEmpty() && bytes > MOST_BYTES) {
                break;
            }
            page.add(new RetainedAnswer.Retained(
                    row.order(), parse(row.manifest(), Manifest.class), parse(row.seal(), Seal.class)));
        }
        answer(query, page, page.size() < wanted.size());
    }

    private static boolean isAfter(TransferRow row, RetainedQuery query) {
        return row.order() > query.afterOrder()
                || row.order() == query.afterOrder() && row.transferId().compareTo(query.afterTransfer()) > 0;
    }

    private static <T extends io.longhaul.wire.Frame> T parse(String json, Class<T> type) {
        return FrameCodec.fromJson(json.getBytes(StandardCharsets.UTF_8), type);
    }

    private void answer(RetainedQuery query, List<RetainedAnswer.Retained> page, boolean more) {
        RetainedAnswer answer =
                new RetainedAnswer(query.request(), query.topic(), query.subscription(), agent, page, more);
        try {
            link.offer(Addresses.inbox(query.asker()), answer, "", new OfferListener() {
                @Override
                public void safe() {}

                @Override
                public void refused(LinkException reason) {
                    LOG.debug("answer to {} not delivered: {}", query.subscription(), reason.getMessage());
                }
            });
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
