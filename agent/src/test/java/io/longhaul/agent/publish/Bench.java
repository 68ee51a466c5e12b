package io.longhaul.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.Job;
import io.longhaul.agent.Publication;
import io.longhaul.agent.PublicationResult;
import io.longhaul.agent.PublishRequest;
import io.longhaul.agent.link.LinkException;
import io.longhaul.agent.link.MemoryLink;
import io.longhaul.agent.link.MemoryNetwork;
import io.longhaul.agent.link.TopicDesk;
import io.longhaul.storage.Direction;
import io.longhaul.storage.Disk;
import io.longhaul.storage.StorageException;
import io.longhaul.storage.Store;
import io.longhaul.storage.StoreConfig;
import io.longhaul.storage.TransferRow;
import io.longhaul.wire.Frame;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.Receipt;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;

/** A publisher with a store in a directory and a network in memory; can be killed and started again. */
final class Bench implements AutoCloseable {
    static final int PIECE = 4096;
    static final String TOPIC = "t.one";
    static final String SUBSCRIPTION = "s1";
    static final long PATIENCE_SECONDS = 60;

    final Path directory;
    final MemoryNetwork network = new MemoryNetwork();
    final ManualDelay delay = new ManualDelay();
    final List<String> notices = new CopyOnWriteArrayList<>();
    /** Topics whose receipts were opened, and whose questions to holders were. */
    final List<String> receiptTopics = new CopyOnWriteArrayList<>();

    final List<String> holderTopics = new CopyOnWriteArrayList<>();
    /** Whether the agent lacks the right to publish. */
    volatile boolean forbidden;
    /** Why no receipts are kept for the agent; null when they are. */
    volatile @Nullable LinkException receiptsRefused;
    /** Counts from the next start on. */
    Optional<Job> job = Optional.empty();

    private final ExecutorService executor = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    });
    private final Random random = new Random(7);
    private final StoreConfig config;
    final Order order;
    private Disk disk;
    private final int windowBytes;
    Store store;
    MemoryLink link;
    Publisher publisher;

    Bench(Path directory) {
        this(directory, new StoreConfig(64 * 1024, 1024 * 1024, Long.MAX_VALUE, 0), 64 * 1024);
    }

    Bench(Path directory, StoreConfig config, int windowBytes) {
        this(directory, config, windowBytes, Disk.real(), new Order());
    }

    Bench(Path directory, Disk disk, Order order) {
        this(directory, new StoreConfig(64 * 1024, 1024 * 1024, Long.MAX_VALUE, 0), 64 * 1024, disk, order);
    }

    Bench(Path directory, StoreConfig config, int windowBytes, Disk disk, Order order) {
        this.directory = directory;
        this.disk = disk;
        this.order = order;
        this.config = config;
        this.windowBytes = windowBytes;
        network.createSubscription(TOPIC, SUBSCRIPTION);
        open();
    }

    void open() {
        store = Store.open(directory.resolve("data"), config, disk);
        link = network.connect("pub", windowBytes);
        publisher = new Publisher(new PublisherContext(
                order.of(store.ledger()),
                order.of(store.spool()),
                order.of(link),
                desk(),
                "pub",
                job,
                new PublisherContext.Platform(
                        Clock.fixed(Instant.ofEpochMilli(1_700_000_000_000L), ZoneOffset.UTC),
                        System::nanoTime,
                        random,
                        executor,
                        delay,
                        notices::add),
                new PublisherContext.Bounds(windowBytes, config.slotBytes(), config.quotaBytes())));
    }

    private TopicDesk desk() {
        return new TopicDesk() {
            @Override
            public void openReceipts(String topic) {
                LinkException refusal = receiptsRefused;
                if (refusal != null) {
                    throw refusal;
                }
                receiptTopics.add(topic);
            }

            @Override
            public void requireRight(String topic) {
                if (forbidden) {
                    throw new LinkException(LinkException.Code.FORBIDDEN, "no right to publish to " + topic);
                }
            }

            @Override
            public void openHolders(String topic) {
                holderTopics.add(topic);
            }
        };
    }

    /** Ends the process as a crash of its network side would, and starts it again on the same store. */
    void restart() {
        link.kill();
        publisher.close();
        store.close();
        open();
    }

    /** Ends the process in order and starts it again on the same store. */
    void restartInOrder() {
        publisher.close();
        publisher.endSession();
        link.close();
        store.close();
        open();
    }

    /** Opens the store again on what a power loss left of it. */
    void restart(Disk newDisk) {
        disk = newDisk;
        link.kill();
        publisher.close();
        try {
            store.close();
        } catch (StorageException e) {
            assertThat(e).as("the disk was gone").isNotNull();
        }
        open();
    }

    /** Lets time pass until a publication has ended. */
    void passUntilOver(Publication publication) {
        passUntil(publication.result()::isDone);
    }

    /** Lets time pass until something is so. */
    void passUntil(BooleanSupplier isSo) {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!isSo.getAsBoolean()) {
            assertThat(System.nanoTime()).as("not over").isLessThan(deadlineNs);
            delay.fire();
            Thread.onSpinWait();
        }
    }

    PublishRequest request(Path source) {
        return PublishRequest.of(source, TOPIC).withPieceSize(PIECE);
    }

    PublicationResult publish(Path source) {
        return await(publisher.publish(request(source)));
    }

    static PublicationResult await(Publication publication) {
        return await(publication.result());
    }

    static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | InterruptedException | TimeoutException e) {
            throw new AssertionError("not reached: " + e, e);
        }
    }

    /** Waits for the failure of a publication. */
    static AgentException failure(Publication publication) {
        try {
            publication.result().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            return Assertions.fail("expected a failure of " + publication.transfer());
        } catch (ExecutionException e) {
            assertThat(e.getCause()).isInstanceOf(AgentException.class);
            return (AgentException) e.getCause();
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError("neither result nor failure: " + e, e);
        }
    }

    Rebuilt received() {
        return Rebuilt.of(frames());
    }

    Rebuilt received(String transfer) {
        return Rebuilt.of(frames().stream()
                .filter(frame ->
                        transfer.equals(FrameCodec.encode(frame).properties().get(FrameCodec.TRANSFER)))
                .toList());
    }

    List<Frame> frames() {
        return network.waiting(TOPIC, SUBSCRIPTION);
    }

    List<TransferRow> rows() {
        return store.ledger().transfers(Direction.OUTGOING);
    }

    Receipt receipt(Publication publication, String subscription, Receipt.Outcome outcome, String reason) {
        return new Receipt(
                io.longhaul.wire.TransferId.parse(publication.transfer()),
                TOPIC,
                subscription,
                "sub",
                outcome,
                0,
                "0".repeat(64),
                "x",
                1,
                reason,
                Optional.empty());
    }

    Path file(String name, byte[] content) {
        try {
            Path file = directory.resolve(name);
            Files.createDirectories(file.getParent());
            return Files.write(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] bytes(int length, long seed) {
        byte[] content = new byte[length];
        new Random(seed).nextBytes(content);
        return content;
    }

    @Override
    public void close() {
        assertThat(link.faults()).isEmpty();
        publisher.close();
        link.close();
        store.close();
        executor.shutdownNow();
    }
}
