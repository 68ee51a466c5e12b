package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.link.Inflow;
import io.longhaul.agent.link.MemoryLink;
import io.longhaul.agent.repair.Holder;
import io.longhaul.agent.repair.LeaseKeeper;
import io.longhaul.agent.repair.Stock;
import io.longhaul.storage.Direction;
import io.longhaul.storage.LeaseRow;
import io.longhaul.storage.LedgerChange;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.LeaseRequest;
import io.longhaul.wire.Piece;
import io.longhaul.wire.TransferId;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A transfer is promised to two subscriptions. */
class LeaseKeeperTest {
    private static final Shipment FILE = Shipment.file(1, "x", Shipment.random(1, 50_000));

    @TempDir
    Path directory;

    private final List<String> notices = new ArrayList<>();
    private final List<Stock.Item> released = new ArrayList<>();
    private Rig rig;
    private MemoryLink link;
    private Holder holder;
    private Runnable next = () -> {};
    private long nowNs = -5;

    @BeforeEach
    void promise() {
        rig = new Rig(directory).open();
        rig.publish(FILE.frames());
        rig.run();
        link = rig.network.connect("holder", 1 << 20);
        holder = new Holder(
                new Holder.Context("holder", true, link, rig.ledger, Clock.systemUTC(), topic -> {}, line -> {}),
                List.of(new All()));
        for (String each : List.of("lost", "away")) {
            rig.network.createSubscription(Shipment.TOPIC, each);
            holder.asked(new LeaseRequest("r", Shipment.TOPIC, each, List.of(Shipment.id(1)), "lh.broker"));
        }
        start();
    }

    /** As a new process does. */
    private void start() {
        new LeaseKeeper(holder, link, rig.ledger, () -> nowNs, (after, task) -> next = task, notices::add).begin();
    }

    /** Has the transfer. */
    private final class All implements Stock {
        @Override
        public Optional<Item> find(TransferId transfer) {
            return Optional.of(new Item(rig.ledger.transfers(Direction.INCOMING).get(0), 0));
        }

        @Override
        public boolean isWhole(Item item) {
            return true;
        }

        @Override
        public long through(Item item) {
            return Long.MAX_VALUE;
        }

        @Override
        public boolean hold(Item item) {
            return true;
        }

        @Override
        public void release(Item item) {
            released.add(item);
        }

        @Override
        public Piece read(Item item, long index) {
            return FILE.pieces().get((int) index);
        }
    }

    private void pass(Duration time) {
        nowNs += time.toNanos();
        next.run();
    }

    private List<String> promised() {
        return rig.ledger.leases().stream().map(LeaseRow::subscription).toList();
    }

    @Test
    void shouldEndThePromiseToASubscriptionThatHasBeenGoneForADay() {
        // given
        link.unsubscribe(Shipment.TOPIC, "lost");
        pass(Duration.ofHours(1));

        // when then
        pass(Duration.ofHours(23));
        assertThat(promised()).containsExactlyInAnyOrder("lost", "away");

        // when then
        pass(Duration.ofHours(1));
        assertThat(promised()).containsExactly("away");
        assertThat(released).as("it is promised to another one").isEmpty();
        assertThat(notices).singleElement().asString().contains("1 transfers", Shipment.TOPIC, "lost");
    }

    /** An agent that is started anew every night would keep it for ever. */
    @Test
    void shouldGoOnCountingTheDayInTheNextProcess() {
        // given
        link.unsubscribe(Shipment.TOPIC, "lost");
        pass(Duration.ofHours(1));
        pass(Duration.ofHours(20));

        // when then
        nowNs = 1_000; // a clock that begins anew
        start();
        pass(Duration.ofDays(3));
        pass(Duration.ofHours(3));
        assertThat(promised()).as("nobody looked in between").contains("lost");

        // when then
        pass(Duration.ofHours(1));
        assertThat(promised()).containsExactly("away");
        assertThat(rig.ledger.settings("")).isEmpty();
    }

    @Test
    void shouldForgetWhatWasMissingOfPromisesThatHaveEnded() {
        // given
        link.unsubscribe(Shipment.TOPIC, "lost");
        pass(Duration.ofHours(1));
        pass(Duration.ofHours(20));
        assertThat(rig.ledger.settings("")).isNotEmpty();

        // when
        rig.ledger
                .commit(List.of(new LedgerChange.DeleteLease(Shipment.id(1).toString(), "lost")))
                .join();
        pass(Duration.ofHours(1));

        // then
        assertThat(rig.ledger.settings("")).isEmpty();
    }

    @Test
    void shouldHoldNothingAnyMoreWhenItWasTheLastPromise() {
        // given
        link.unsubscribe(Shipment.TOPIC, "lost");
        link.unsubscribe(Shipment.TOPIC, "away");

        // when
        pass(Duration.ofHours(1));
        pass(Duration.ofHours(24));

        // then
        assertThat(promised()).isEmpty();
        assertThat(released).isNotEmpty();
    }

    @Test
    void shouldKeepThePromiseToASubscriptionThatComesBack() {
        // given
        link.unsubscribe(Shipment.TOPIC, "lost");
        pass(Duration.ofHours(1));
        rig.network.createSubscription(Shipment.TOPIC, "lost");
        pass(Duration.ofHours(23));

        // when
        link.unsubscribe(Shipment.TOPIC, "lost");
        pass(Duration.ofHours(2));

        // then
        assertThat(promised()).contains("lost");
    }

    /** The receipts may be lost: with a broker's disk, or as some of too many that waited for a holder. */
    @Test
    void shouldAskForReceiptsWithTheSealEverMoreSeldom() throws Exception {
        // given
        Inflow questions = link.holders(Shipment.TOPIC, "holder");
        String queue = Addresses.holdersQueue(Shipment.TOPIC, "holder");

        // when
        pass(Duration.ofHours(1));

        // then
        assertThat(rig.network.waiting(queue)).as("one for both promises").containsExactly(FILE.seal());

        // when
        for (int i = 2; i <= 48; i++) {
            pass(Duration.ofHours(1));
        }

        // then
        assertThat(rig.network.waiting(queue))
                .as("in hours 1, 2, 4, 8, 16, 24, 32, 48")
                .hasSize(8);
        questions.close();
    }

    @Test
    void shouldAskForNoReceiptsWhenNothingIsPromised() throws Exception {
        // given
        Inflow questions = link.holders(Shipment.TOPIC, "holder");
        for (String each : List.of("lost", "away")) {
            rig.ledger
                    .commit(List.of(new LedgerChange.DeleteLease(Shipment.id(1).toString(), each)))
                    .join();
        }

        // when
        pass(Duration.ofHours(1));

        // then
        assertThat(rig.network.waiting(Addresses.holdersQueue(Shipment.TOPIC, "holder")))
                .isEmpty();
        questions.close();
    }

    /** As while a site is away behind a broker that was started anew, or while the broker cannot be reached. */
    @Test
    void shouldCountNoAnswerThatDoesNotNameAll() {
        // given
        link.unsubscribe(Shipment.TOPIC, "lost");
        rig.network.unknownBehind("the link to leaf");

        // when
        pass(Duration.ofHours(1));
        pass(Duration.ofDays(2));
        link.weather(MemoryLink.Weather.DOWN);
        pass(Duration.ofDays(2));
        link.weather(MemoryLink.Weather.FAIR);
        rig.network.unknownBehind("");
        pass(Duration.ofHours(1));

        // then
        assertThat(promised()).contains("lost");
    }
}
