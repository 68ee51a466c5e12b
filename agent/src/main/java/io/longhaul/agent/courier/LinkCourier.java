package io.longhaul.agent.courier;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.Callbacks;
import io.longhaul.agent.Failures;
import io.longhaul.agent.artemis.ArtemisLink;
import io.longhaul.agent.link.FlowPump;
import io.longhaul.agent.link.Inflow;
import io.longhaul.agent.link.LinkException;
import io.longhaul.agent.link.LinkListener;
import io.longhaul.agent.link.OfferListener;
import io.longhaul.agent.link.PatientOpener;
import io.longhaul.storage.DataDirectory;
import io.longhaul.storage.DirectoryLock;
import io.longhaul.storage.Disk;
import io.longhaul.storage.StorageException;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.Frame;
import io.longhaul.wire.Names;
import io.longhaul.wire.Parcel;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A courier over a link: an endpoint's flow, pumped on a thread of its own. */
final class LinkCourier implements Courier {
    private static final Logger LOG = LoggerFactory.getLogger(LinkCourier.class);

    private final String name;
    private final DirectoryLock lock;
    private final ScheduledExecutorService keeper;
    private final ArtemisLink link;
    private final String owner;
    private final Weather weather;
    private @Nullable Inflow claimed; // guarded by this
    private @Nullable FlowPump pump; // guarded by this
    private boolean closed; // guarded by this

    private LinkCourier(
            String name,
            DirectoryLock lock,
            ScheduledExecutorService keeper,
            ArtemisLink link,
            String owner,
            Inflow claimed,
            Weather weather) {
        this.name = name;
        this.lock = lock;
        this.keeper = keeper;
        this.link = link;
        this.owner = owner;
        this.weather = weather;
        this.claimed = claimed;
    }

    /** Hands the link's weather on to a listener that comes later. */
    private static final class Weather implements LinkListener {
        private final AtomicReference<@Nullable CourierListener> listener = new AtomicReference<>();
        private final String name;

        Weather(String name) {
            this.name = name;
        }

        void tell(Consumer<CourierListener> news) {
            CourierListener present = listener.get();
            if (present != null) {
                Callbacks.call("the listener of endpoint " + name, () -> news.accept(present));
            }
        }

        @Override
        public void disconnected(String why) {
            tell(present -> present.disconnected(why));
        }

        @Override
        public void reconnected() {
            tell(CourierListener::reconnected);
        }
    }

    static Courier open(CourierConfig config) {
        DirectoryLock lock = null;
        ScheduledExecutorService keeper = null;
        ArtemisLink link = null;
        try {
            Names.endpoint(config.name());
            lock = lock(config.data());
            String owner = EndpointIdentity.of(config.name(), config.data());
            keeper = Executors.newSingleThreadScheduledExecutor(task -> thread(task, "courier-keeper"));
            Weather weather = new Weather(config.name());
            ArtemisLink.Config linkConfig = new ArtemisLink.Config(
                    config.broker(), config.user(), config.password(), config.windowBytes(), config.windowBytes());
            long deadlineNs = System.nanoTime() + config.connectTimeout().toNanos();
            ArtemisLink connected =
                    ArtemisLink.connect(linkConfig, config.connectTimeout(), weather, keeper, System::nanoTime);
            link = connected;
            Inflow claimed = new PatientOpener(
                            () -> connected.endpoint(config.name(), owner), deadlineNs, System::nanoTime)
                    .get();
            return new LinkCourier(config.name(), lock, keeper, link, owner, claimed, weather);
        } catch (RuntimeException | InterruptedException e) {
            release(link, keeper, lock);
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
                throw new AgentException(AgentException.Code.INTERRUPTED, "interrupted while connecting", e);
            }
            throw Failures.translate((RuntimeException) e);
        }
    }

    private static DirectoryLock lock(Path data) {
        Path directory;
        try {
            directory = DataDirectory.make(data, Disk.real());
        } catch (StorageException e) {
            throw new AgentException(AgentException.Code.REFUSED, "data directory: " + e.getMessage(), e);
        }
        return DirectoryLock.take(directory);
    }

    private static Thread thread(Runnable task, String threadName) {
        Thread thread = new Thread(task, threadName);
        thread.setDaemon(true);
        return thread;
    }

    private static void release(
            @Nullable ArtemisLink link, @Nullable ScheduledExecutorService keeper, @Nullable DirectoryLock lock) {
        if (link != null) {
            link.close();
        }
        if (keeper != null) {
            keeper.shutdownNow();
        }
        if (lock != null) {
            lock.close();
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void send(String to, Urgency urgency, ByteBuffer body) throws InterruptedException {
        try {
            link.offer(
                    Addresses.endpoint(to),
                    new Parcel(name, body.duplicate()),
                    "",
                    urgency.priority(),
                    new Outcome(to));
        } catch (RuntimeException e) {
            throw Failures.translate(e);
        }
    }

    private final class Outcome implements OfferListener {
        private final String to;

        Outcome(String to) {
            this.to = to;
        }

        @Override
        public void safe() {
            // Taken by the broker, which is all that a parcel's sender is promised.
        }

        @Override
        public void refused(LinkException reason) {
            weather.tell(present -> present.refused(to, Failures.translate(reason)));
        }
    }

    @Override
    public synchronized void listen(CourierListener listener) {
        Inflow first = claimed;
        if (closed || first == null) {
            throw new AgentException(
                    AgentException.Code.USAGE, "endpoint " + name + (closed ? " is closed" : " has a listener"));
        }
        claimed = null;
        weather.listener.set(listener);
        AtomicReference<@Nullable Inflow> opened = new AtomicReference<>(first);
        pump = new FlowPump(
                        "endpoint " + name,
                        () -> {
                            Inflow open = opened.getAndSet(null);
                            return open != null ? open : link.endpoint(name, owner);
                        },
                        this::received,
                        reason -> weather.tell(present -> present.ended(Failures.translate(reason))),
                        task -> thread(task, "courier-receiver"))
                .start();
    }

    private void received(Frame frame) {
        if (frame instanceof Parcel parcel) {
            weather.tell(present -> present.received(parcel.from(), parcel.body()));
        } else {
            LOG.warn("endpoint {}: {} dropped: expected parcels", name, frame.type());
        }
    }

    @Override
    public void close() {
        FlowPump last;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            last = pump;
        }
        if (last != null) {
            last.close();
        }
        release(link, keeper, lock);
    }
}
