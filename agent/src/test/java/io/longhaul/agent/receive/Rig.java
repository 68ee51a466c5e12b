package io.longhaul.agent.receive;

import io.longhaul.agent.Delivered;
import io.longhaul.agent.DeliveryTarget;
import io.longhaul.agent.ExistingPolicy;
import io.longhaul.agent.Progress;
import io.longhaul.agent.Retention;
import io.longhaul.agent.SubscribeRequest;
import io.longhaul.agent.SubscriptionListener;
import io.longhaul.agent.link.Inflow;
import io.longhaul.agent.link.MemoryLink;
import io.longhaul.agent.link.MemoryNetwork;
import io.longhaul.agent.receipt.ReceiptKey;
import io.longhaul.agent.receipt.ReceiptSigner;
import io.longhaul.storage.Disk;
import io.longhaul.storage.Ledger;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.Frame;
import io.longhaul.wire.Receipt;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A receiver with everything around it, run step by step in the test's thread. */
final class Rig {
    static final String SUBSCRIPTION = "site1";
    static final String AGENT = "agent1";
    private static final Clock CLOCK = Clock.fixed(Instant.ofEpochMilli(1_700_000_000_000L), ZoneOffset.UTC);
    static final ReceiptKey KEY = ReceiptKey.generate();
    static final ReceiptSigner SIGNER = new ReceiptSigner(KEY);

    final MemoryNetwork network = new MemoryNetwork();
    final List<Delivered> ended = new ArrayList<>();
    final List<String> notices = new ArrayList<>();
    final List<Progress> progress = new ArrayList<>();
    final Path into;
    Ledger ledger = new MemoryLedger();
    Disk disk = Disk.real();
    Journal journal = new Journal();
    ExistingPolicy existing = ExistingPolicy.REPLACE;
    boolean archive;
    Optional<Instant> since = Optional.empty();
    Optional<Duration> sinceAgo = Optional.empty();
    Clock clock = CLOCK;
    Optional<DeliveryTarget> target = Optional.empty();
    long nowNs = 1_000_000_000L;
    int sleeps;
    Runnable whileAsleep = () -> {};
    Executor finisher = Runnable::run;

    @Nullable
    Pipeline pipeline;

    private @Nullable Holdings holdings;
    private final Inflow receipts;
    private @Nullable MemoryLink link;
    private @Nullable Inflow inflow;

    Rig(Path directory) {
        this.into = directory.resolve("into");
        network.createSubscription(Shipment.TOPIC, SUBSCRIPTION);
        receipts = network.connect("waiter", 1 << 20).receipts(Shipment.TOPIC, "waiter");
    }

    SubscribeRequest request() {
        SubscribeRequest request =
                SubscribeRequest.of(Shipment.TOPIC, SUBSCRIPTION, into).withExisting(existing);
        SubscribeRequest late = sinceAgo.map(request::withSinceAgo)
                .or(() -> since.map(request::withSince))
                .orElse(request);
        SubscribeRequest going = target.map(late::withTarget).orElse(late);
        return archive ? going.withArchive(Retention.FOR_EVER) : going;
    }

    Holdings holdings() {
        if (holdings == null) {
            holdings = new Holdings(journal.ledger(ledger), journal.disk(disk));
        }
        return holdings;
    }

    private ReceiverContext context(MemoryLink connected) {
        return new ReceiverContext(
                journal.ledger(ledger),
                journal.disk(disk),
                holdings(),
                journal.link(connected),
                SIGNER,
                AGENT,
                "owner",
                clock,
                () -> nowNs,
                Thread::new,
                0);
    }

    /** Returns what a part works with that runs beside the receiver. */
    ReceiverContext context() {
        return context(link());
    }

    /** Starts a receiver on what its predecessor left. */
    Rig open() {
        MemoryLink connected = network.connect(AGENT, 1 << 20);
        link = connected;
        ReceiverContext context = context(connected);
        TargetDirectory target =
                TargetDirectory.open(context.disk(), into, context.clock().millis() * 1_000_000);
        Inflow opened = journal.inflow(connected.subscribe(Shipment.TOPIC, SUBSCRIPTION, "owner"));
        inflow = opened;
        Pipeline made = new Pipeline(
                context,
                request(),
                new SubscriptionListener() {
                    @Override
                    public void ended(Delivered delivered) {
                        ended.add(delivered);
                    }

                    @Override
                    public void progress(Progress each) {
                        progress.add(each);
                    }

                    @Override
                    public void notice(String line) {
                        notices.add(line);
                    }
                },
                target,
                opened,
                new Pipeline.Machinery(
                        Runnable::run,
                        task -> finisher.execute(task),
                        Runnable::run,
                        Runnable::run,
                        time -> {
                            sleeps++;
                            nowNs += time.toNanos();
                            whileAsleep.run();
                            return true;
                        },
                        () -> false,
                        failure -> {
                            if (failure instanceof Error error) {
                                throw error;
                            }
                            throw new IllegalStateException(failure);
                        }));
        pipeline = made;
        made.resume();
        return this;
    }

    /** Runs until the journal's crash; returns whether it came. */
    boolean runIntoCrash() {
        try {
            open();
            run();
        } catch (Throwable e) {
            if (!journal.hasCrashed()) {
                throw new AssertionError("failed without a crash", e);
            }
        }
        return journal.hasCrashed();
    }

    Pipeline pipeline() {
        if (pipeline == null) {
            throw new IllegalStateException("not open");
        }
        return pipeline;
    }

    /** Ends the process without a word. */
    void kill() {
        if (link != null) {
            link.kill();
        }
        journal = new Journal(journal.isSyncing());
        holdings = null;
    }

    MemoryLink link() {
        return Objects.requireNonNull(link);
    }

    void publish(List<? extends Frame> frames) {
        MemoryLink publisher = network.connect("publisher", 1 << 26);
        try {
            for (Frame frame : frames) {
                publisher.offer(Addresses.topic(Shipment.TOPIC), frame);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    void publish(Shipment shipment) {
        publish(shipment.frames());
    }

    /** Steps until nothing has happened for a while of this time's passing. */
    Rig run(long forNs) {
        long until = nowNs + forNs;
        try {
            while (nowNs < until) {
                long before = journal.activity();
                pipeline().loop().step();
                nowNs += journal.activity() == before ? 25_000_000L : 1_000L;
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return this;
    }

    /** Runs until what lingers has been made durable, too. */
    Rig run() {
        return run(ReceiveLoop.LINGER_NS * 3 / 2);
    }

    long backlog() {
        return inflow == null ? -1 : inflow.backlog();
    }

    /** Returns the distinct receipts that reached the network. */
    List<Receipt> receipts() {
        return network.waiting(Addresses.receiptsQueue(Shipment.TOPIC, "waiter")).stream()
                .map(Receipt.class::cast)
                .distinct()
                .toList();
    }

    /** Returns what lies in the target directory, but for the receiver's own: path to content, or to what it is. */
    Map<String, String> content() {
        Map<String, String> found = new TreeMap<>();
        try (var walk = Files.walk(into)) {
            for (Path each : walk.toList()) {
                String name = into.relativize(each).toString();
                if (!name.isEmpty() && !name.startsWith(".longhaul")) {
                    found.put(name, describe(each));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    private static String describe(Path path) throws IOException {
        if (Files.isSymbolicLink(path)) {
            return "-> " + Files.readSymbolicLink(path);
        }
        return Files.isDirectory(path) ? "directory" : Shipment.hex(Files.readAllBytes(path));
    }

    /** Returns what is left in the receiver's own directory. */
    List<String> leftovers() {
        try (var walk = Files.walk(into.resolve(".longhaul"))) {
            return walk.skip(1)
                    .map(each -> into.relativize(each).toString())
                    .filter(name -> !name.startsWith(".longhaul/held"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
