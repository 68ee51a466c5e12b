package io.longhaul.agent.receive;

import io.longhaul.agent.link.LinkException;
import io.longhaul.agent.link.OfferListener;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.Frame;
import io.longhaul.wire.Names;
import io.longhaul.wire.Piece;
import io.longhaul.wire.RepairOffer;
import io.longhaul.wire.RepairQuery;
import io.longhaul.wire.RepairRefusal;
import io.longhaul.wire.RepairRequest;
import io.longhaul.wire.TransferId;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

/**
 * Notices what is missing and will not come by itself, and has it asked for.
 *
 * <p>A piece that arrived damaged is asked for at once. Any other counts as missing when the seal is here, nothing waits
 * in the flow, and no piece has come for a second. Receiver thread only.
 */
final class Repairs {
    static final long NO_PROGRESS_NS = 1_000_000_000L;
    private static final long TICK_NS = 50_000_000L;
    /** Between two questions of a subscription, once many of its transfers have asked for a while and nobody answers. */
    private static final long QUESTION_NS = 50_000_000L;

    private final ReceiverContext context;
    private final IncomingTransfers transfers;
    private final Outbox outbox;
    private final Announcer announcer;
    private final Map<String, RepairAsker> askers = new HashMap<>();
    private final RepairFlow flow = new RepairFlow();
    /** Transfer and holder of requests that the network did not take; filled by the link's threads. */
    private final Queue<RepairRefusal> undelivered = new ConcurrentLinkedQueue<>();

    private long tickedNs;

    Repairs(ReceiverContext context, IncomingTransfers transfers, Outbox outbox, Announcer announcer) {
        this.context = context;
        this.transfers = transfers;
        this.outbox = outbox;
        this.announcer = announcer;
        this.tickedNs = context.nanoTime().getAsLong() - TICK_NS;
    }

    /** Whether repairs are under way, so that answers may come any moment. */
    boolean isBusy() {
        return !askers.isEmpty();
    }

    /** Looks for what is missing and does what is due. */
    void tick(BooleanSupplier flowIsEmpty) {
        long now = context.nanoTime().getAsLong();
        if (now - tickedNs < TICK_NS) {
            return;
        }
        tickedNs = now;
        for (RepairRefusal each = undelivered.poll(); each != null; each = undelivered.poll()) {
            answered(each);
        }
        for (Incoming incoming : transfers.active()) {
            RepairAsker asker = askers.get(incoming.id());
            if (asker != null && asker.waits(now) && incoming.isLacking()) {
                continue; // a bitmap of what is missing may take long to make
            }
            BitSet wanted = wanted(incoming, flowIsEmpty, now);
            if (asker == null && !wanted.isEmpty()) {
                asker = new RepairAsker(voice(incoming), () -> askers.size() * QUESTION_NS, flow);
                askers.put(incoming.id(), asker);
            }
            if (asker != null) {
                asker.tick(wanted, now);
            }
        }
        askers.entrySet().removeIf(each -> {
            if (transfers.find(each.getKey()) == null) {
                each.getValue().quiet();
            }
            return each.getValue().isQuiet();
        });
    }

    private BitSet wanted(Incoming incoming, BooleanSupplier flowIsEmpty, long now) {
        if (incoming.finishing) {
            return new BitSet();
        }
        boolean asking = askers.containsKey(incoming.id());
        boolean stuck = incoming.seal != null
                && (incoming.retained
                        || (asking || now - incoming.lastProgressNs >= NO_PROGRESS_NS) && flowIsEmpty.getAsBoolean());
        return stuck ? incoming.missing() : incoming.damaged;
    }

    /** Takes an offer or a refusal. */
    void answered(Frame frame) {
        if (frame instanceof RepairOffer offer) {
            RepairAsker asker = askers.get(offer.transfer().toString());
            if (asker != null) {
                asker.offered(offer.holder(), offer.hops(), offer.rank());
            }
        } else if (frame instanceof RepairRefusal refusal) {
            RepairAsker asker = askers.get(refusal.transfer().toString());
            Incoming incoming = transfers.find(refusal.transfer().toString());
            if (asker != null && incoming != null) {
                announcer.notice("repair of transfer " + incoming.id() + " was refused by " + refusal.holder() + ": "
                        + Names.shown(refusal.reason()));
                asker.refused(
                        refusal.holder(),
                        stillMissing(incoming),
                        context.nanoTime().getAsLong());
            }
        }
    }

    /** Takes the news that a piece came by repair, after it was taken in. */
    void arrived(Piece piece) {
        String id = piece.header().transfer().toString();
        RepairAsker asker = askers.get(id);
        Incoming incoming = transfers.find(id);
        if (asker == null || incoming == null) {
            return;
        }
        boolean intact =
                incoming.finishing || incoming.have.get((int) piece.header().index());
        asker.arrived(
                piece.header().index(),
                intact,
                stillMissing(incoming),
                context.nanoTime().getAsLong());
        if (!incoming.finishing) {
            asker.tick(stillMissing(incoming), context.nanoTime().getAsLong());
        }
    }

    private static BitSet stillMissing(Incoming incoming) {
        BitSet missing = incoming.missing();
        return missing.isEmpty() ? incoming.damaged : missing;
    }

    private RepairAsker.Voice voice(Incoming incoming) {
        TransferId id = incoming.manifest.transfer();
        String subscription = incoming.row.subscription();
        String what = "transfer " + id + " " + Names.shown(incoming.manifest.name()) + ": ";
        return new RepairAsker.Voice() {
            private volatile boolean underway; // until the network has it: an outage must not gather repetitions

            @Override
            public void query() {
                if (underway) {
                    return;
                }
                underway = true;
                RepairQuery query = new RepairQuery(id, transfers.topic(), subscription, context.agentName());
                // an unheard query is the same as one that nobody answers
                outbox.offer(
                        Addresses.holders(transfers.topic()),
                        query,
                        "",
                        OfferListener.whenOver(() -> underway = false));
            }

            @Override
            public void request(String holder, BitSet pieces) {
                int first = pieces.nextSetBit(0);
                RepairRequest request = new RepairRequest(
                        id,
                        subscription,
                        context.agentName(),
                        first,
                        pieces.get(first, pieces.length()).toByteArray(),
                        transfers.topic());
                outbox.offer(Addresses.inbox(holder), request, "", outcome(holder));
            }

            @Override
            public void notice(String line) {
                announcer.notice(what + line);
            }

            private OfferListener outcome(String holder) {
                return OfferListener.whenRefused(reason -> {
                    if (reason.code() != LinkException.Code.CLOSED) {
                        undelivered.add(new RepairRefusal(id, holder, "not reached: " + reason.getMessage()));
                    }
                });
            }
        };
    }
}
