package io.longhaul.agent;

import io.longhaul.agent.artemis.ArtemisLink;
import io.longhaul.agent.cancel.Cancellation;
import io.longhaul.agent.control.ControlCommands;
import io.longhaul.agent.control.ControlServer;
import io.longhaul.agent.link.FlowPump;
import io.longhaul.agent.link.Inflow;
import io.longhaul.agent.link.LinkException;
import io.longhaul.agent.link.PatientOpener;
import io.longhaul.agent.publish.Publisher;
import io.longhaul.agent.publish.PublisherContext;
import io.longhaul.agent.receipt.ReceiptSigner;
import io.longhaul.agent.receive.ArchiveKeeper;
import io.longhaul.agent.receive.Holdings;
import io.longhaul.agent.receive.Receiver;
import io.longhaul.agent.receive.ReceiverContext;
import io.longhaul.agent.receive.RemovedSubscription;
import io.longhaul.agent.receive.UnservedTransfer;
import io.longhaul.agent.repair.Catalogue;
import io.longhaul.agent.repair.Holder;
import io.longhaul.agent.repair.LeaseKeeper;
import io.longhaul.storage.Disk;
import io.longhaul.storage.LeaseRow;
import io.longhaul.storage.Store;
import io.longhaul.storage.StoreConfig;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Frame;
import io.longhaul.wire.Names;
import io.longhaul.wire.Receipt;
import io.longhaul.wire.RepairRequest;
import io.longhaul.wire.RetainedAnswer;
import io.longhaul.wire.RetainedQuery;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent of this process: wires store, link, publisher, receivers and holder together.
 *
 * <p>Frames of the inbox come on the pump's thread: repair requests go to the repair thread, everything else to the
 * receivers that want it.
 */
final class LocalAgent implements Agent {
    private static final Logger LOG = LoggerFactory.getLogger(LocalAgent.class);
    private static final Duration DRAIN = Duration.ofSeconds(2);

    private final AgentConfig config;
    private final AgentThreads threads;
    private final Store store;
    private final String owner;
    private final ArtemisLink link;
    private final Publisher publisher;
    private final Holdings holdings;
    private final Holder holder;
    private final Catalogue catalogue;
    private final TopicFlows flows;
    private final FlowPump inbox;
    private final @Nullable ControlServer control;
    private final ServedSubscriptions<Receiver> served = new ServedSubscriptions<>();
    private final Cancellation cancellation;
    private final Consumer<String> notices;
    private final Closing closing = new Closing(this::shut);
    private @Nullable ReceiptSigner signer; // guarded by this

    static Agent open(AgentConfig config, AgentListener listener) {
        Objects.requireNonNull(config, "config");
        Objects.requireNonNull(listener, "listener");
        AgentThreads threads = new AgentThreads();
        Store store = null;
        PendingLink link = null;
        Consumer<String> notices =
                line -> Callbacks.call("the listener of agent " + config.name(), () -> listener.notice(line));
        try {
            Failures.requireNoInterrupt();
            Names.agent(config.name());
            long deadlineNs = System.nanoTime() + config.connectTimeout().toNanos();
            link = PendingLink.begin(config, notices, threads);
            store = Store.open(
                    config.data(),
                    new StoreConfig(
                            StoreConfig.defaults().slotBytes(),
                            StoreConfig.defaults().segmentBytes(),
                            config.spoolQuotaBytes(),
                            DiskFloor.of(config.floorBytes(), config.data())),
                    Disk.real());
            store.findings().forEach(finding -> notices.accept("ledger: " + finding));
            String owner = DataIdentity.of(config, store.ledger());
            return new LocalAgent(config, notices, threads, store, owner, link.await(), deadlineNs);
        } catch (RuntimeException | InterruptedException e) {
            if (link != null) {
                link.abandon();
            }
            closeQuietly(store);
            threads.close();
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
                throw new AgentException(AgentException.Code.INTERRUPTED, "interrupted while connecting", e);
            }
            throw Failures.translate((RuntimeException) e);
        }
    }

    private LocalAgent(
            AgentConfig config,
            Consumer<String> notices,
            AgentThreads threads,
            Store store,
            String owner,
            ArtemisLink link,
            long deadlineNs) {
        this.config = config;
        this.notices = notices;
        this.threads = threads;
        this.store = store;
        this.owner = owner;
        this.link = link;
        this.flows = new TopicFlows(
                link,
                config.name(),
                threads,
                new TopicFlows.Handlers(this::onReceipt, this::onQuestion, this::onFlowEnd));
        this.publisher = new Publisher(new PublisherContext(
                store.ledger(),
                store.spool(),
                link,
                flows,
                config.name(),
                config.job(),
                new PublisherContext.Platform(
                        Clock.systemUTC(), System::nanoTime, threads.random(), threads, threads::later, notices),
                new PublisherContext.Bounds(
                        config.windowBytes(), StoreConfig.defaults().slotBytes(), config.spoolQuotaBytes())));
        this.holdings = new Holdings(store.ledger(), store.disk());
        this.holder = Holder.of(
                new Holder.Context(
                        config.name(),
                        config.holder(),
                        link,
                        store.ledger(),
                        Clock.systemUTC(),
                        flows::openReceipts,
                        notices),
                store,
                holdings,
                System::nanoTime);
        this.catalogue = new Catalogue(
                config.name(), link, store.ledger(), holdings, topic -> Receiver.archiveOf(topic, served.all()));
        this.inbox = new FlowPump(
                        "inbox of " + config.name(), inboxOpener(deadlineNs), this::onInbox, this::onFlowEnd, threads)
                .start();
        this.cancellation = new Cancellation(
                store.ledger(), publisher, holder, served::findOr, row -> UnservedTransfer.cancel(receiving(0), row));
        this.control = ControlServer.start(store.directory(), threads, new ControlCommands(this, store.ledger())::run);
        store.ledger().leases().stream().map(LeaseRow::topic).distinct().forEach(flows::openKeptReceipts);
        new LeaseKeeper(holder, link, store.ledger(), System::nanoTime, threads::later, notices).begin();
    }

    private Supplier<Inflow> inboxOpener(long deadlineNs) {
        Supplier<Inflow> opener = () -> link.inbox(config.name(), owner);
        return config.offline() ? opener : TopicFlows.opened(new PatientOpener(opener, deadlineNs, System::nanoTime));
    }

    private void onReceipt(Frame frame) {
        if (frame instanceof Receipt receipt && publisher.receipt(receipt)) {
            holder.receipt(receipt);
        }
    }

    private void onQuestion(Frame frame) {
        if (frame instanceof RetainedQuery query) {
            threads.repair(() -> catalogue.asked(query));
            return;
        }
        Receiver.asked(frame, served.all());
        holder.asked(frame);
    }

    private void onInbox(Frame frame) {
        if (frame instanceof RepairRequest request) {
            threads.repair(() -> holder.serve(request));
            return;
        }
        if (frame instanceof RetainedAnswer answer) {
            Receiver.answered(answer, served.all());
            return;
        }
        Receiver.share(frame, served.all());
    }

    private void onFlowEnd(LinkException reason) {
        notices.accept(String.valueOf(reason.getMessage()));
    }

    @Override
    public Publication publish(PublishRequest request) {
        Objects.requireNonNull(request, "request");
        return translated(() -> publisher.publish(request));
    }

    @Override
    public List<Publication> resumePublications() {
        return translated(() -> publisher.resumeAll());
    }

    @Override
    public Subscription subscribe(SubscribeRequest request, SubscriptionListener listener) {
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(listener, "listener");
        return blocking(() -> {
            DataShelter.requireOutside(config.data(), request.into());
            ReceiverContext context = receiving(DiskFloor.of(config.floorBytes(), request.into()));
            Receiver receiver = new Receiver(context, request, new HoldingListener(holder::delivered, listener));
            served.add(receiver, receiver::start);
            receiver.closed().whenComplete((nothing, failure) -> served.remove(receiver));
            ArchiveKeeper.keep(request, receiver, context, holder::unlessPromised, threads::later, notices);
            flows.openHolders(request.topic());
            return receiver;
        });
    }

    private ReceiverContext receiving(long floorBytes) {
        return new ReceiverContext(
                store.ledger(),
                store.disk(),
                holdings,
                link,
                signer(),
                config.name(),
                owner,
                Clock.systemUTC(),
                System::nanoTime,
                threads,
                floorBytes);
    }

    /** The key is made at the first subscription: who only publishes gives no receipts. */
    private synchronized ReceiptSigner signer() {
        if (signer == null) {
            signer = ReceiptSigner.open(store, Clock.systemUTC(), notices);
        }
        return signer;
    }

    @Override
    public void cancel(String transfer) {
        Objects.requireNonNull(transfer, "transfer");
        blocking(() -> {
            cancellation.run(transfer);
            return transfer;
        });
    }

    @Override
    public List<String> subscriptions(String topic) {
        Objects.requireNonNull(topic, "topic");
        return blocking(() -> List.copyOf(link.subscriptions(Names.topic(topic))));
    }

    @Override
    public void unsubscribe(String topic, String subscription) {
        withdraw(topic, subscription);
        var left = new RemovedSubscription(store.ledger(), store.disk(), holder::unlessPromised, notices);
        translated(() -> served.findOr(topic, subscription, () -> left.forget(topic, subscription)));
    }

    @Override
    public void withdraw(String topic, String subscription) {
        Objects.requireNonNull(topic, "topic");
        Objects.requireNonNull(subscription, "subscription");
        blocking(() -> {
            link.unsubscribe(Names.topic(topic), Names.subscription(subscription));
            return topic;
        });
    }

    @Override
    public Optional<Publication> resume(String transfer) {
        Objects.requireNonNull(transfer, "transfer");
        return translated(() -> publisher.resume(transfer));
    }

    @Override
    public Optional<Publication> publication(String transfer) {
        Objects.requireNonNull(transfer, "transfer");
        return translated(() -> publisher.find(transfer));
    }

    @Override
    public Optional<TransferEnd> endOf(String transfer) {
        Objects.requireNonNull(transfer, "transfer");
        return translated(() -> publisher.endOf(transfer));
    }

    /** Does what waits for the network, which would take an interrupt for a loss of the connection. */
    private <T> T blocking(Supplier<T> action) {
        Failures.requireNoInterrupt();
        return translated(action);
    }

    private <T> T translated(Supplier<T> action) {
        closing.requireOpen();
        try {
            return action.get();
        } catch (RuntimeException e) {
            throw Failures.translate(e);
        }
    }

    @Override
    public void close() {
        closing.close(threads.isOwn(Thread.currentThread()) || Callbacks.isCalling());
    }

    private void shut() {
        closeQuietly(control);
        List<Receiver> serving = served.end();
        serving.forEach(Receiver::stopSoon); // all at a time, since each may take seconds
        serving.forEach(LocalAgent::closeQuietly);
        if (!link.isConnected()) {
            // Whoever waits for a connection would keep the publisher waiting.
            closeQuietly(link);
        }
        closeQuietly(publisher);
        closeQuietly(inbox);
        closeQuietly(flows);
        tidy();
        closeQuietly(link);
        closeQuietly(publisher);
        closeQuietly(publisher::endSession);
        closeQuietly(store);
        threads.close();
    }

    /** Lets receipts leave, and removes from the broker what nobody will read again. */
    private void tidy() {
        try {
            if (link.isConnected()) {
                link.drain(DRAIN);
                link.forgetInbox(config.name());
                for (String topic : flows.receiptTopics()) {
                    if (!awaitsReceipts(topic)) {
                        link.forgetReceipts(topic, config.name());
                    }
                }
            }
        } catch (RuntimeException e) {
            LOG.debug("leaving the broker", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean awaitsReceipts(String topic) {
        AtomicBoolean unfinished = new AtomicBoolean();
        store.ledger()
                .forEachOutgoing(
                        TransferState.UNFINISHED_OUTGOING,
                        row -> unfinished.compareAndSet(false, row.topic().equals(topic)));
        return unfinished.get()
                || store.ledger().leases().stream()
                        .anyMatch(lease -> lease.topic().equals(topic));
    }

    private static void closeQuietly(@Nullable AutoCloseable closeable) {
        try {
            if (closeable != null) {
                closeable.close();
            }
        } catch (Exception e) {
            LOG.warn("closing {}: {}", closeable.getClass().getSimpleName(), e.toString());
        }
    }
}
