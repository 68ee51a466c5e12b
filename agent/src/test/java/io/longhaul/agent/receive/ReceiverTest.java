package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.longhaul.agent.Delivered;
import io.longhaul.agent.SubscribeRequest;
import io.longhaul.agent.SubscriptionListener;
import io.longhaul.agent.link.Link;
import io.longhaul.agent.link.LinkException;
import io.longhaul.agent.link.MemoryLink;
import io.longhaul.agent.link.MemoryNetwork;
import io.longhaul.storage.Direction;
import io.longhaul.storage.Disk;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.StorageException;
import io.longhaul.storage.Store;
import io.longhaul.storage.StoreConfig;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.Frame;
import io.longhaul.wire.Piece;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The receiver with its threads and a real ledger. */
class ReceiverTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final byte[] CONTENT = Shipment.random(1, 500_000);

    /** All its pieces have room in an inbox, which drops what finds none in time. */
    private static final byte[] SMALL = Shipment.random(1, 100_000);

    @TempDir
    Path directory;

    private final MemoryNetwork network = new MemoryNetwork();
    private final BlockingQueue<Delivered> ended = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> notices = new LinkedBlockingQueue<>();
    private long floorBytes;
    private Store store;

    @BeforeEach
    void openStore() {
        store = Store.open(directory.resolve("data"), StoreConfig.defaults(), Disk.real());
        network.createSubscription(Shipment.TOPIC, Rig.SUBSCRIPTION);
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    private Receiver receiver(String owner) {
        return receiver(owner, Rig.SUBSCRIPTION, System::nanoTime);
    }

    private Receiver receiver(String owner, String subscription, LongSupplier nanoTime) {
        return receiver(network.connect(Rig.AGENT, 1 << 26), owner, subscription, nanoTime);
    }

    private Receiver receiver(Link link, String owner, String subscription, LongSupplier nanoTime) {
        return receiver(link, owner, request(subscription), nanoTime, ended::add);
    }

    private Receiver receiver(SubscribeRequest request, Consumer<Delivered> whenEnded) {
        return receiver(network.connect(Rig.AGENT, 1 << 26), "owner", request, System::nanoTime, whenEnded);
    }

    private SubscribeRequest request(String subscription) {
        return SubscribeRequest.of(Shipment.TOPIC, subscription, directory.resolve(subscription));
    }

    private Receiver receiver(
            Link link, String owner, SubscribeRequest request, LongSupplier nanoTime, Consumer<Delivered> whenEnded) {
        ReceiverContext context = new ReceiverContext(
                store.ledger(),
                store.disk(),
                new Holdings(store.ledger(), store.disk()),
                link,
                Rig.SIGNER,
                Rig.AGENT,
                owner,
                Clock.systemUTC(),
                nanoTime,
                Thread::new,
                floorBytes);
        return new Receiver(context, request, new SubscriptionListener() {
            @Override
            public void ended(Delivered delivered) {
                whenEnded.accept(delivered);
            }

            @Override
            public void notice(String line) {
                notices.add(line);
            }
        });
    }

    private void publish(List<? extends Frame> frames) throws InterruptedException {
        MemoryLink publisher = network.connect("publisher", 1 << 26);
        for (Frame frame : frames) {
            publisher.offer(Addresses.topic(Shipment.TOPIC), frame);
        }
    }

    private Delivered nextEnd() throws InterruptedException {
        Delivered next = ended.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(next).isNotNull();
        return next;
    }

    @Test
    void shouldDeliverFilesAndTreesWhenStarted() throws InterruptedException {
        // given
        try (Receiver receiver = receiver("owner")) {
            receiver.start();

            // when
            publish(Shipment.file(1, "f", CONTENT).frames());
            publish(Shipment.tree(2, "t", FileShapesTest.allKinds()).frames());

            // then
            assertThat(nextEnd().path()).hasBinaryContent(CONTENT);
            assertThat(nextEnd().path().resolve("b/small3")).hasBinaryContent(Shipment.random(3, 700));
        }
        // the receiver does not wait for its last commit: one behind it is done after it
        store.ledger()
                .commit(List.of(new LedgerChange.PutSetting("behind", "1")))
                .join();
        assertThat(store.ledger().transfers(Direction.INCOMING))
                .allMatch(row -> row.state() == TransferState.RECEIPTED);
    }

    @Test
    void shouldNotWaitForItselfWhenTheListenerCloses() throws InterruptedException {
        // given
        CompletableFuture<Receiver> served = new CompletableFuture<>();
        AtomicLong closingNs = new AtomicLong();
        Receiver receiver = receiver(request(Rig.SUBSCRIPTION), delivered -> {
            long beforeNs = System.nanoTime();
            served.join().close();
            closingNs.set(System.nanoTime() - beforeNs);
            ended.add(delivered);
        });
        served.complete(receiver);
        receiver.start();

        // when
        publish(Shipment.file(1, "f", CONTENT).frames());

        // then
        nextEnd();
        assertThat(Duration.ofNanos(closingNs.get())).isLessThan(Receiver.PATIENCE_WITH_LISTENER);
        receiver.close();
        while (store.ledger().transfers(Direction.INCOMING).get(0).state() != TransferState.RECEIPTED) {
            Thread.onSpinWait();
        }
    }

    /** The first time before it has what was published, the second while it takes up what was left. */
    @Test
    void shouldNotWaitForItselfWhenTheTargetCloses() throws InterruptedException {
        // given
        publish(Shipment.file(1, "f", CONTENT).frames());

        for (int i = 0; i < 2; i++) {
            AtomicReference<Receiver> serving = new AtomicReference<>();
            CompletableFuture<Void> returned = new CompletableFuture<>();
            SubscribeRequest request = request(Rig.SUBSCRIPTION).withTarget((path, name) -> {
                serving.get().close();
                returned.complete(null);
                return new CompletableFuture<>();
            });
            // when
            Receiver receiver = receiver(request, delivered -> {});
            serving.set(receiver);
            receiver.start();

            // then
            assertThat(returned).succeedsWithin(PATIENCE);
            assertThat(receiver.closed()).succeedsWithin(PATIENCE);
            receiver.close();
        }
    }

    @Test
    void shouldGoOnWhenClosedInTheMiddleAndStartedAgain() throws InterruptedException {
        // given
        List<Frame> frames = Shipment.file(1, "f", CONTENT).frames();
        try (Receiver receiver = receiver("owner")) {
            receiver.start();
            publish(frames.subList(0, 40));
        }

        // when
        try (Receiver receiver = receiver("owner")) {
            receiver.start();
            publish(frames.subList(40, frames.size()));

            // then
            assertThat(nextEnd().path()).hasBinaryContent(CONTENT);
        }
    }

    @Test
    void shouldTakePiecesOfTheInboxWhenTransferIsOnItsWay() throws InterruptedException {
        // given
        Shipment file = Shipment.file(1, "f", SMALL);
        try (Receiver receiver = receiver("owner")) {
            receiver.start();
            assertThat(receiver.wants(Shipment.id(1))).isFalse();
            publish(List.of(file.manifest(), file.seal()));
            while (!receiver.wants(Shipment.id(1))) {
                Thread.onSpinWait();
            }
            assertThat(receiver.progress()).hasSize(1);

            // when
            for (Piece piece : file.pieces()) {
                receiver.inbox(piece);
            }

            // then
            Delivered end = nextEnd();
            assertThat(end.path()).hasBinaryContent(SMALL);
            assertThat(end.repairedBytes()).isEqualTo(SMALL.length);
        }
    }

    @Test
    void shouldRepairEverySubscriptionOfTheAgentThatLacksAPiece() throws InterruptedException {
        // given
        Shipment file = Shipment.file(1, "f", SMALL);
        network.createSubscription(Shipment.TOPIC, "site2");
        try (Receiver first = receiver("owner");
                Receiver second = receiver("owner", "site2", System::nanoTime)) {
            first.start();
            second.start();
            publish(List.of(file.manifest(), file.seal()));
            while (!first.wants(Shipment.id(1)) || !second.wants(Shipment.id(1))) {
                Thread.onSpinWait();
            }

            // when
            for (Piece piece : file.pieces()) {
                Receiver.share(piece, List.of(first, second));
            }

            // then
            assertThat(List.of(nextEnd().path(), nextEnd().path()))
                    .containsExactlyInAnyOrder(
                            directory.resolve(Rig.SUBSCRIPTION).resolve("f"), directory.resolve("site2/f"))
                    .allSatisfy(path -> assertThat(path).hasBinaryContent(SMALL));
        }
    }

    @Test
    void shouldRepairASubscriptionBesideOneThatStandsStill() throws InterruptedException {
        // given
        Shipment file = Shipment.file(1, "f", CONTENT);
        assertThat(file.pieces()).hasSizeGreaterThan(100);
        network.createSubscription(Shipment.TOPIC, "hung");
        AtomicBoolean hanging = new AtomicBoolean();
        CompletableFuture<Void> over = new CompletableFuture<>();
        try (Receiver healthy = receiver("owner");
                Receiver hung = receiver("owner", "hung", () -> {
                    if (hanging.get()) {
                        over.join();
                    }
                    return System.nanoTime();
                })) {
            healthy.start();
            hung.start();
            publish(List.of(file.manifest(), file.seal()));
            while (!healthy.wants(Shipment.id(1)) || !hung.wants(Shipment.id(1))) {
                Thread.onSpinWait();
            }
            hanging.set(true);
            try {
                // when
                assertTimeoutPreemptively(PATIENCE, () -> {
                    for (Piece piece : file.pieces()) {
                        Receiver.share(piece, List.of(hung, healthy));
                    }
                    // what it dropped while its disk was slow
                    while (healthy.wants(Shipment.id(1))) {
                        file.pieces().forEach(healthy::inbox);
                    }
                });

                // then
                assertThat(nextEnd().path()).hasParent(directory.resolve(Rig.SUBSCRIPTION));
            } finally {
                over.complete(null);
            }
        }
    }

    @Test
    void shouldFailToStartWhenNameIsInUseAndStayClosable() {
        try (Receiver first = receiver("owner");
                Receiver second = receiver("somebody else")) {
            first.start();
            assertThatThrownBy(second::start).isInstanceOf(LinkException.class).hasMessageContaining("held by owner");
        }
    }

    @Test
    void shouldClaimNothingWhenDirectoryCannotBeUsed() throws IOException {
        // given
        Files.createFile(directory.resolve(Rig.SUBSCRIPTION));
        network.connect(Rig.AGENT, 1).unsubscribe(Shipment.TOPIC, Rig.SUBSCRIPTION);

        // when
        try (Receiver receiver = receiver("owner")) {
            assertThatThrownBy(receiver::start)
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("not a directory");
        }

        // then
        assertThat(network.connect(Rig.AGENT, 1).subscriptions(Shipment.TOPIC)).isEmpty();
    }

    @Test
    void shouldEndWithoutFailureWhenClosedTwiceWhileItWaitsForSpace() throws InterruptedException {
        // given
        floorBytes = Long.MAX_VALUE;
        Receiver receiver = receiver("owner");
        receiver.start();
        publish(Shipment.file(1, "f", CONTENT).frames());
        assertThat(notices.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)).contains("paused");

        // when
        receiver.close();
        receiver.close();

        // then
        assertThat(receiver.closed()).isCompleted();
    }

    @Test
    void shouldCloseAtOnceWhileItWaitsForWhatMayNeverCome() throws InterruptedException {
        // given
        CountDownLatch waiting = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        MemoryLink link = network.connect(Rig.AGENT, 1 << 26);
        Receiver receiver =
                receiver(QuietInflow.of(link, waiting, closed), "owner", Rig.SUBSCRIPTION, System::nanoTime);
        receiver.start();
        waiting.await();

        // when, then
        try {
            assertTimeoutPreemptively(PATIENCE, receiver::close);
            assertThat(receiver.closed()).isCompleted();
        } finally {
            closed.countDown();
        }
    }

    @Test
    void shouldFailWithReasonWhenLedgerIsGone() throws InterruptedException {
        // given
        Receiver receiver = receiver("owner");
        receiver.start();

        // when
        store.close();
        publish(Shipment.file(1, "f", CONTENT).frames());

        // then
        assertThatThrownBy(() -> receiver.closed().get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("subscription " + Rig.SUBSCRIPTION);
        receiver.close();
    }
}
