package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.longhaul.agent.link.Delivery;
import io.longhaul.agent.link.Inflow;
import io.longhaul.agent.repair.Holder;
import io.longhaul.agent.repair.IncomingStock;
import io.longhaul.agent.repair.Stock;
import io.longhaul.storage.Direction;
import io.longhaul.storage.Disk;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.PieceRow;
import io.longhaul.storage.StorageException;
import io.longhaul.storage.TransferRow;
import io.longhaul.wire.Frame;
import io.longhaul.wire.LeaseGrant;
import io.longhaul.wire.LeaseRequest;
import io.longhaul.wire.Piece;
import io.longhaul.wire.Receipt;
import io.longhaul.wire.RepairQuery;
import io.longhaul.wire.RepairRefusal;
import io.longhaul.wire.RepairRequest;
import io.longhaul.wire.TransferId;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an agent has twice is served from where there is most of it. */
class RepairServingTest {
    private static final Shipment FILE = Shipment.file(1, "x", Shipment.random(1, 50_000));
    private static final int RECEIVED = 3;

    @TempDir
    Path directory;

    private Rig rig;
    private IncomingStock incoming;

    @BeforeEach
    void receiveSome() {
        rig = new Rig(directory).open();
        rig.publish(FILE.frames().subList(0, 1 + RECEIVED));
        rig.run();
        incoming = new IncomingStock(
                rig.ledger, new DeliveredPieces(rig.ledger, Disk.real()), new Holdings(rig.ledger, Disk.real()));
    }

    private TransferRow row() {
        return rig.ledger.transfers(Direction.INCOMING).get(0);
    }

    /** A publisher's source: all is there. */
    private final class Source implements Stock {
        private boolean gone;

        @Override
        public Optional<Item> find(TransferId transfer) {
            return Optional.of(new Item(row(), 1));
        }

        @Override
        public boolean isWhole(Item item) {
            return true;
        }

        @Override
        public long through(Item item) {
            return gone ? 0 : Long.MAX_VALUE;
        }

        @Override
        public boolean hold(Item item) {
            return true;
        }

        @Override
        public void release(Item item) {}

        @Override
        public Piece read(Item item, long index) {
            return FILE.pieces().get((int) index);
        }
    }

    private Holder holder(Ledger ledger, List<Stock> stocks) {
        return holder(ledger, stocks, topic -> {});
    }

    private Holder holder(Ledger ledger, List<Stock> stocks, Consumer<String> receiptsWanted) {
        return new Holder(
                new Holder.Context(
                        "holder",
                        true,
                        rig.network.connect("holder", 1 << 20),
                        ledger,
                        Clock.systemUTC(),
                        receiptsWanted,
                        line -> {}),
                stocks);
    }

    private @Nullable Frame served(List<Stock> stocks, int piece) throws InterruptedException {
        return served(stocks, piece, Shipment.TOPIC);
    }

    private @Nullable Frame served(List<Stock> stocks, int piece, String topic) throws InterruptedException {
        Holder holder = holder(rig.ledger, stocks);
        BitSet wanted = new BitSet();
        wanted.set(0);
        try (Inflow inbox = rig.network.connect("asker", 1 << 20).inbox("asker", "asker")) {
            holder.serve(new RepairRequest(Shipment.id(1), "other", "asker", piece, wanted.toByteArray(), topic));
            Delivery answer = inbox.poll(Duration.ZERO);
            return answer == null ? null : answer.frame().orElseThrow();
        }
    }

    @Test
    void shouldServeFromWhereItIsWholeWhenABeginningIsElsewhere() throws InterruptedException {
        assertThat(served(List.of(incoming, new Source()), RECEIVED))
                .isEqualTo(FILE.pieces().get(RECEIVED));
    }

    @Test
    void shouldServeABeginningWhenItIsWholeNowhere() throws InterruptedException {
        assertThat(served(List.of(incoming), RECEIVED - 1))
                .isEqualTo(FILE.pieces().get(RECEIVED - 1));
    }

    /** The broker lets who may subscribe to a topic ask for what is of that topic. */
    @Test
    void shouldRefuseARequestThatNamesAnotherTopic() throws InterruptedException {
        assertThat(served(List.of(incoming, new Source()), 0, "other"))
                .isInstanceOfSatisfying(
                        RepairRefusal.class,
                        refusal -> assertThat(refusal.reason()).contains("topic other", "not here"));
    }

    @Test
    void shouldServeAnOlderAgentThatNamesNoTopic() throws InterruptedException {
        assertThat(served(List.of(incoming), 0, "")).isEqualTo(FILE.pieces().get(0));
    }

    @Test
    void shouldOfferNothingToWhoAsksForAnotherTopic() throws InterruptedException {
        // given
        Holder holder = holder(rig.ledger, List.of(new Source()));
        try (Inflow inbox = rig.network.connect("asker", 1 << 20).inbox("asker", "asker")) {
            // when then
            holder.asked(new RepairQuery(Shipment.id(1), "other", "site2", "asker"));
            assertThat(inbox.poll(Duration.ZERO)).isNull();

            // when then
            holder.asked(new RepairQuery(Shipment.id(1), Shipment.TOPIC, "site2", "asker"));
            assertThat(inbox.poll(Duration.ZERO)).isNotNull();
        }
    }

    /** A ledger that has no room. */
    private Ledger full() {
        return (Ledger) Proxy.newProxyInstance(
                Ledger.class.getClassLoader(), new Class<?>[] {Ledger.class}, (self, method, arguments) -> {
                    return method.getName().equals("commit")
                            ? CompletableFuture.failedFuture(
                                    new StorageException(StorageException.Code.NO_SPACE, "disk is full"))
                            : method.invoke(rig.ledger, arguments);
                });
    }

    @Test
    void shouldPromiseNothingAndGoOnWhenTheDiskIsFull() throws InterruptedException {
        // given
        Holder holder = holder(full(), List.of(incoming));
        LeaseRequest request =
                new LeaseRequest("r", Shipment.TOPIC, "other", List.of(Shipment.id(1)), "lh.inbox.asker");

        try (Inflow inbox = rig.network.connect("asker", 1 << 20).inbox("asker", "asker")) {
            // when
            holder.asked(request);

            // then
            assertThat(inbox.poll(Duration.ZERO)).isNull();

            // when
            holder(rig.ledger, List.of(incoming)).asked(request);

            // then
            assertThat(inbox.poll(Duration.ZERO)).isNotNull();
        }
    }

    private void receiveAll() {
        rig.publish(FILE.frames().subList(1 + RECEIVED, FILE.frames().size()));
        rig.run();
    }

    private List<Path> held() throws IOException {
        Path held = rig.into.resolve(".longhaul/held");
        if (!Files.exists(held)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(held)) {
            return files.toList();
        }
    }

    @Test
    void shouldHoldNothingWhenThePromiseCannotBeRecorded() throws Exception {
        // given
        receiveAll();

        // when
        holder(full(), List.of(incoming)).asked(leaseOf(1));

        // then
        assertThat(held()).isEmpty();
    }

    @Test
    void shouldStillHoldWhatIsPromisedWhileAnotherPromiseEnds() throws Exception {
        // given
        receiveAll();
        List<Thread> asking = new ArrayList<>();
        Holder[] holder = new Holder[1];
        holder[0] = holder(rig.ledger, List.of(new DelegatingStock(incoming) {
            @Override
            public void release(Item item) {
                Thread thread = new Thread(() -> holder[0].asked(
                        new LeaseRequest("r2", Shipment.TOPIC, "third", List.of(Shipment.id(1)), "lh.inbox.asker")));
                asking.add(thread);
                thread.start();
                while (thread.isAlive() && thread.getState() != Thread.State.BLOCKED) {
                    Thread.onSpinWait();
                }
                super.release(item);
            }
        }));
        holder[0].asked(leaseOf(1));
        assertThat(held()).hasSize(1);

        // when
        holder[0].receipt(new Receipt(
                Shipment.id(1),
                Shipment.TOPIC,
                "other",
                "agent",
                Receipt.Outcome.DELIVERED,
                1,
                "0".repeat(64),
                "x",
                1,
                "",
                Optional.empty()));
        asking.get(0).join();

        // then
        assertThat(rig.ledger.leases())
                .singleElement()
                .satisfies(lease -> assertThat(lease.subscription()).isEqualTo("third"));
        assertThat(held()).hasSize(1);
    }

    private static LeaseRequest leaseOf(int... transfers) {
        return new LeaseRequest(
                "r",
                Shipment.TOPIC,
                "other",
                IntStream.of(transfers).mapToObj(Shipment::id).toList(),
                "lh.inbox.asker");
    }

    private static List<TransferId> granted(Inflow inbox) throws InterruptedException {
        List<TransferId> granted = new ArrayList<>();
        for (Delivery next = inbox.poll(Duration.ZERO); next != null; next = inbox.poll(Duration.ZERO)) {
            granted.add(((LeaseGrant) next.frame().orElseThrow()).transfer());
        }
        return granted;
    }

    @Test
    void shouldPromiseOthersWhileATransferIsGivenUpHoweverLongThatTakes() throws Exception {
        // given
        Holder holder = holder(rig.ledger, List.of(new Source()));
        try (Inflow inbox = rig.network.connect("asker", 1 << 20).inbox("asker", "asker")) {
            // when
            boolean done = holder.unlessPromised(
                    Shipment.id(1).toString(),
                    () -> assertThat(CompletableFuture.runAsync(() -> holder.asked(leaseOf(1, 2))))
                            .succeedsWithin(Duration.ofSeconds(10)));

            // then
            assertThat(done).isTrue();
            assertThat(granted(inbox)).containsExactly(Shipment.id(2));

            // when
            holder.asked(leaseOf(1));

            // then
            assertThat(granted(inbox)).containsExactly(Shipment.id(1));
            assertThat(holder.unlessPromised(Shipment.id(1).toString(), () -> fail("promised")))
                    .isFalse();
        }
    }

    @Test
    void shouldNotPromiseWhatWentWhileTheBrokerWasWaitedFor() throws Exception {
        // given
        Source source = new Source();
        Holder holder = holder(rig.ledger, List.of(source), topic -> source.gone = true);

        // when
        try (Inflow inbox = rig.network.connect("asker", 1 << 20).inbox("asker", "asker")) {
            holder.asked(leaseOf(1));

            // then
            assertThat(granted(inbox)).isEmpty();
        }
        assertThat(rig.ledger.leases()).isEmpty();
    }

    @Test
    void shouldFindTheSubscriptionThatHasMostWhenSeveralHaveSome() {
        // given
        TransferRow some = row();
        TransferRow more = new TransferRow(
                some.key() + 1,
                some.direction(),
                some.transferId(),
                some.topic(),
                "site2",
                some.name(),
                some.state(),
                some.order(),
                some.createdMillis(),
                some.manifest(),
                some.seal(),
                some.path(),
                some.detail());
        List<PieceRow> pieces = FILE.pieces().stream()
                .map(piece -> new PieceRow(piece.header().index(), 1, 0, 0, Shipment.PIECE, 0, true, -1))
                .toList();

        // when
        rig.ledger
                .commit(List.of(new LedgerChange.PutTransfer(more), new LedgerChange.PutPieces(more.key(), pieces)))
                .join();

        // then
        assertThat(incoming.find(Shipment.id(1)))
                .hasValueSatisfying(
                        item -> assertThat(item.row().subscription()).isEqualTo("site2"));
    }
}
