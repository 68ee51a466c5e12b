package io.longhaul.it.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.longhaul.agent.artemis.ArtemisLink;
import io.longhaul.agent.link.Delivery;
import io.longhaul.agent.link.Inflow;
import io.longhaul.agent.link.LinkException;
import io.longhaul.agent.link.LinkListener;
import io.longhaul.agent.link.OfferListener;
import io.longhaul.broker.Broker;
import io.longhaul.broker.BrokerConfig;
import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.CountedWire;
import io.longhaul.it.testbed.Ports;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.Piece;
import io.longhaul.wire.PieceHeader;
import io.longhaul.wire.TransferId;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(TestbedExtension.class)
class ArtemisLinkIT {
    private static final TransferId TRANSFER = new TransferId(1, 2);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final int PIECE_BYTES = 64 * 1024;

    @TempDir
    Path data;

    private final ScheduledExecutorService keeper = Executors.newSingleThreadScheduledExecutor();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final AtomicInteger safe = new AtomicInteger();
    private final AtomicInteger resent = new AtomicInteger();
    private final List<LinkException> refused = new ArrayList<>();
    private final int port = Ports.free();
    private Broker broker;

    @BeforeEach
    void launch() {
        broker = Broker.launch(config());
    }

    private BrokerConfig config() {
        return BrokerConfig.of("b", data).withListen("127.0.0.1:" + port);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
        keeper.shutdownNow();
        broker.close();
    }

    @Test
    void shouldDeliverEveryPieceOnceToEachSubscription() throws Exception {
        // given
        ArtemisLink link = connect();
        Inflow first = link.subscribe("t", "one", "owner-1");
        Inflow second = link.subscribe("t", "two", "owner-2");

        // when
        offer(link, 0, 20);

        // then
        assertThat(link.drain(Child.PATIENCE)).isTrue();
        assertThat(safe).hasValue(20);
        assertThat(receive(first, 20)).isEqualTo(20);
        assertThat(receive(second, 20)).isEqualTo(20);
        assertThat(link.subscriptions("t")).containsExactlyInAnyOrder("one", "two");
    }

    @Test
    void shouldGoOnAfterTheBrokerWasAway() throws Exception {
        // given
        ArtemisLink link = connect();
        Inflow flow = link.subscribe("t", "one", "owner-1");
        offer(link, 0, 10);
        assertThat(link.drain(Child.PATIENCE)).isTrue();
        assertThat(receive(flow, 4)).isEqualTo(4);

        // when
        broker.close();
        offer(link, 10, 10);
        broker = Broker.launch(config());

        // then
        assertThat(link.drain(Child.PATIENCE)).isTrue();
        assertThat(safe).hasValue(20);
        assertThat(receive(flow, 16))
                .as("what was not acknowledged, and the new ones")
                .isEqualTo(16);
    }

    @Test
    void shouldComeBackFromAShortWaitWhenTheBrokerIsSilent(Testbed testbed) throws Exception {
        // given
        CountedWire wire = CountedWire.open(testbed, "127.0.0.1:" + port);
        Inflow flow = connect(wire.address()).subscribe("t", "one", "owner-1");
        assertThat(flow.poll(SHORT)).isNull();

        // when
        wire.holdBehind(0);
        CompletableFuture<Optional<Delivery>> polled =
                CompletableFuture.supplyAsync(() -> Optional.ofNullable(poll(flow, Duration.ofMillis(50))));

        // then
        try {
            assertThat(polled).succeedsWithin(Duration.ofSeconds(5)).isEqualTo(Optional.empty());
        } finally {
            wire.goOn();
        }
    }

    private static @Nullable Delivery poll(Inflow flow, Duration wait) {
        try {
            return flow.poll(wait);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldKeepNoThreadOfAConnectionThatWasLost() throws Exception {
        // given
        ArtemisLink link = connect();
        link.subscribe("t", "one", "owner-1");
        long before = connectionThreads();

        // when
        for (int i = 0; i < 3; i++) {
            broker.close();
            broker = Broker.launch(config());
            offer(link, i, 1);
            assertThat(link.drain(Duration.ofSeconds(60))).isTrue();
        }

        // then
        await().atMost(Duration.ofSeconds(60)).until(() -> connectionThreads() <= before);
    }

    private static long connectionThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("ptcp-client"))
                .count();
    }

    @Test
    void shouldRefuseWhatNobodySubscribesTo() throws Exception {
        // given
        ArtemisLink link = connect();

        // when
        offer(link, 0, 1);

        // then
        assertThat(link.drain(Child.PATIENCE)).isTrue();
        assertThat(refused).extracting(LinkException::code).containsExactly(LinkException.Code.NO_SUBSCRIPTION);
        assertThat(link.subscriptions("t")).isEmpty();
    }

    @Test
    void shouldRefuseASecondOwnerAndEvictThePredecessorOfTheSame() throws Exception {
        // given
        ArtemisLink one = connect();
        ArtemisLink two = connect();
        Inflow predecessor = one.subscribe("t", "name", "owner-1");
        offer(one, 0, 1);
        assertThat(one.drain(Child.PATIENCE)).isTrue();
        assertThat(predecessor.poll(Child.PATIENCE)).isNotNull();

        // when / then
        assertThatThrownBy(() -> two.subscribe("t", "name", "owner-2"))
                .isInstanceOfSatisfying(
                        LinkException.class, e -> assertThat(e.code()).isEqualTo(LinkException.Code.NAME_IN_USE));
        Inflow successor = two.subscribe("t", "name", "owner-1");
        assertThat(receive(successor, 1)).isEqualTo(1);
    }

    @Test
    void shouldGoOnToWaitUntilOthersKnowOfASubscriptionWhenTheBrokerIsStartedAnewMeanwhile() throws Exception {
        // given
        broker.close();
        BrokerConfig.Links toNobody = new BrokerConfig.Links(List.of("127.0.0.1:1"), "", "", 0, false);
        broker = Broker.launch(config().withLinks(toNobody));
        ArtemisLink link = connect();
        CompletableFuture<Inflow> subscribed =
                CompletableFuture.supplyAsync(() -> link.subscribe("t", "one", "owner-1"));
        await().atMost(Child.PATIENCE).until(() -> link.subscriptions("t").contains("one"));

        // when
        broker.close();
        broker = Broker.launch(config());

        // then
        try (Inflow flow = subscribed.get(Child.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            offer(link, 0, 1);
            assertThat(receive(flow, 1)).isEqualTo(1);
        }
    }

    @Test
    void shouldSayThatNobodyAnswersWhenTheTimeIsOver() {
        // given
        broker.close();

        // when / then
        assertThatThrownBy(this::connect)
                .isInstanceOfSatisfying(
                        LinkException.class, e -> assertThat(e.code()).isEqualTo(LinkException.Code.UNREACHABLE));
    }

    private ArtemisLink connect() throws InterruptedException {
        return connect("127.0.0.1:" + port);
    }

    private ArtemisLink connect(String address) throws InterruptedException {
        ArtemisLink link = ArtemisLink.connect(
                new ArtemisLink.Config(address, "", "", 4 << 20, 4 << 20),
                SHORT,
                new LinkListener() {},
                keeper,
                System::nanoTime);
        opened.add(link);
        return link;
    }

    private void offer(ArtemisLink link, int from, int count) throws InterruptedException {
        for (int i = from; i < from + count; i++) {
            byte[] body = new byte[PIECE_BYTES];
            body[0] = (byte) i;
            CRC32C crc = new CRC32C();
            crc.update(body);
            PieceHeader header = new PieceHeader(
                    TRANSFER,
                    i,
                    PieceHeader.Kind.RANGE,
                    (long) i * PIECE_BYTES,
                    PIECE_BYTES,
                    (int) crc.getValue(),
                    Optional.empty());
            link.offer(
                    Addresses.topic("t"), new Piece(header, ByteBuffer.wrap(body)), TRANSFER + "/" + i, new Counted());
        }
    }

    private static int receive(Inflow flow, int expected) throws InterruptedException {
        BitSet indexes = new BitSet();
        Delivery last = null;
        for (int quiet = 0; quiet < 100 && indexes.cardinality() < expected; ) {
            Delivery delivery = flow.poll(SHORT);
            if (delivery == null) {
                quiet++;
                continue;
            }
            last = delivery;
            Piece piece = (Piece) delivery.frame().orElseThrow();
            assertThat(piece.body().get(piece.body().position()))
                    .isEqualTo((byte) piece.header().index());
            indexes.set((int) piece.header().index());
        }
        if (last != null) {
            flow.acknowledge(last);
        }
        return indexes.cardinality();
    }

    private final class Counted implements OfferListener {
        @Override
        public void safe() {
            safe.incrementAndGet();
        }

        @Override
        public void refused(LinkException reason) {
            refused.add(reason);
        }

        @Override
        public void resent() {
            resent.incrementAndGet();
        }
    }
}
