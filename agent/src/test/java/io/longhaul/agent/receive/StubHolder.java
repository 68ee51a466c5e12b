package io.longhaul.agent.receive;

import io.longhaul.agent.link.Delivery;
import io.longhaul.agent.link.Inflow;
import io.longhaul.agent.link.MemoryLink;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.Frame;
import io.longhaul.wire.Piece;
import io.longhaul.wire.RepairOffer;
import io.longhaul.wire.RepairQuery;
import io.longhaul.wire.RepairRefusal;
import io.longhaul.wire.RepairRequest;
import io.longhaul.wire.RetainedAnswer;
import io.longhaul.wire.RetainedQuery;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A holder that has everything of one shipment, and behaves as a test likes it. */
final class StubHolder {
    private static final long STEP_NS = 25_000_000L;

    final String name;
    final int rank;
    final Shipment shipment;
    final MemoryLink link;
    final Inflow queries;
    final Inflow requests;
    UnaryOperator<@Nullable Piece> serving = UnaryOperator.identity();
    boolean refusing;
    boolean sealed = true;
    long order;
    long wrongBy;
    int served;
    int asked;

    StubHolder(Rig rig, String name, int rank, Shipment shipment) {
        this.name = name;
        this.rank = rank;
        this.shipment = shipment;
        this.link = rig.network.connect(name, 1 << 26);
        this.queries = link.holders(Shipment.TOPIC, name);
        this.requests = link.inbox(name, name);
    }

    /** Runs a receiver and its holders side by side. */
    static void run(Rig rig, long forNs, StubHolder... holders) {
        Inflow inbox = rig.network.connect(Rig.AGENT, 1 << 26).inbox(Rig.AGENT, "owner");
        try {
            for (long left = forNs; left > 0; left -= STEP_NS) {
                rig.run(STEP_NS);
                for (StubHolder holder : holders) {
                    holder.serve();
                }
                Delivery next = inbox.poll(Duration.ZERO);
                while (next != null) {
                    rig.pipeline().inbox(next.frame().orElseThrow());
                    rig.run(1);
                    inbox.acknowledge(next);
                    next = inbox.poll(Duration.ZERO);
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            inbox.close();
        }
    }

    void serve() throws InterruptedException {
        for (Delivery each = queries.poll(Duration.ZERO); each != null; each = queries.poll(Duration.ZERO)) {
            Frame question = each.frame().orElseThrow();
            if (question instanceof RepairQuery query) {
                offer(RepairOffer.of(query.transfer(), name, rank));
            } else if (question instanceof RetainedQuery query) {
                tell(query);
            }
        }
        for (Delivery each = requests.poll(Duration.ZERO); each != null; each = requests.poll(Duration.ZERO)) {
            serve((RepairRequest) each.frame().orElseThrow());
        }
    }

    private void tell(RetainedQuery query) throws InterruptedException {
        asked++;
        if (sealed && query.transfer().equals(shipment.manifest().transfer().toString())) {
            offer(new RetainedAnswer(
                    query.request() + wrongBy,
                    query.topic(),
                    query.subscription(),
                    name,
                    List.of(new RetainedAnswer.Retained(order, shipment.manifest(), shipment.seal())),
                    false,
                    false));
        }
    }

    private void serve(RepairRequest request) throws InterruptedException {
        if (refusing) {
            offer(new RepairRefusal(request.transfer(), name, "the file has changed"));
            return;
        }
        BitSet wanted = BitSet.valueOf(request.bitmap());
        for (int i = wanted.nextSetBit(0); i >= 0; i = wanted.nextSetBit(i + 1)) {
            Piece piece = serving.apply(shipment.pieces().get((int) request.first() + i));
            if (piece != null) {
                served++;
                offer(piece);
            }
        }
    }

    private void offer(Frame frame) throws InterruptedException {
        link.offer(Addresses.inbox(Rig.AGENT), frame);
    }
}
