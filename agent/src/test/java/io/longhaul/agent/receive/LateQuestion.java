package io.longhaul.agent.receive;

import io.longhaul.agent.link.Delivery;
import io.longhaul.agent.link.Inflow;
import io.longhaul.agent.repair.Catalogue;
import io.longhaul.storage.Disk;
import io.longhaul.wire.RetainedAnswer;
import io.longhaul.wire.RetainedQuery;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** What a late subscription asks an archive, which is the receiver of a {@link Rig}. */
final class LateQuestion {
    private LateQuestion() {}

    /** Returns the archive's answer; times are those of {@link RetainedQuery}. */
    static RetainedAnswer answer(Rig rig, long sinceMillis, long askedMillis) throws InterruptedException {
        Catalogue catalogue = new Catalogue(
                Rig.AGENT,
                rig.network.connect(Rig.AGENT, 1 << 20),
                rig.ledger,
                new Holdings(rig.ledger, Disk.real()),
                topic -> Optional.of(Rig.SUBSCRIPTION));
        try (Inflow inbox = rig.network.connect("late", 1 << 20).inbox("late", "late")) {
            catalogue.asked(new RetainedQuery(1, Shipment.TOPIC, "late", "late", sinceMillis, askedMillis, -1, "", ""));
            Delivery answer = Objects.requireNonNull(inbox.poll(Duration.ZERO));
            inbox.acknowledge(answer);
            return (RetainedAnswer) answer.frame().orElseThrow();
        }
    }
}
