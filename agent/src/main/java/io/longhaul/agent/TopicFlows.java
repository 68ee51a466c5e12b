package io.longhaul.agent;

import io.longhaul.agent.link.FlowPump;
import io.longhaul.agent.link.Inflow;
import io.longhaul.agent.link.Link;
import io.longhaul.agent.link.LinkException;
import io.longhaul.agent.link.TopicDesk;
import io.longhaul.wire.Frame;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The flows of receipts and of questions to holders, one of each a topic, opened when first wanted. Thread-safe. */
final class TopicFlows implements TopicDesk, AutoCloseable {
    private final Link link;
    private final String agent;
    private final ThreadFactory threads;
    private final Consumer<Frame> onReceipt;
    private final Consumer<Frame> onQuestion;
    private final Consumer<LinkException> onEnd;
    private final Map<String, Object> opening = new ConcurrentHashMap<>(); // by topic; held by who waits for the broker
    private final Map<String, FlowPump> receipts = new HashMap<>(); // guarded by this
    private final Map<String, FlowPump> holders = new HashMap<>(); // guarded by this

    /** Who takes what. */
    record Handlers(Consumer<Frame> onReceipt, Consumer<Frame> onQuestion, Consumer<LinkException> onEnd) {}

    TopicFlows(Link link, String agent, ThreadFactory threads, Handlers handlers) {
        this.link = link;
        this.agent = agent;
        this.threads = threads;
        this.onReceipt = handlers.onReceipt();
        this.onQuestion = handlers.onQuestion();
        this.onEnd = handlers.onEnd();
    }

    /** Returns once the topic's receipts are kept for this agent, anew when they had ended; throws {@link LinkException}. */
    @Override
    public void openReceipts(String topic) {
        if (isOpen(topic)) {
            return;
        }
        synchronized (opening.computeIfAbsent(topic, name -> new Object())) {
            if (!isOpen(topic)) {
                Supplier<Inflow> opened = opened(() -> link.receipts(topic, agent));
                synchronized (this) {
                    receipts.put(topic, pump("receipts of " + topic, opened, onReceipt, receipts));
                }
            }
        }
    }

    /** Opens the receipts of a topic that were kept for this agent before; returns at once, also when the network is away. */
    synchronized void openKeptReceipts(String topic) {
        receipts.computeIfAbsent(
                topic, name -> pump("receipts of " + name, () -> link.receipts(name, agent), onReceipt, receipts));
    }

    private synchronized boolean isOpen(String topic) {
        return receipts.containsKey(topic);
    }

    /** A topic's receipts may be kept by who may publish to it, and by nobody else: that is what the broker is asked. */
    @Override
    public void requireRight(String topic) {
        if (isOpen(topic)) {
            return;
        }
        try {
            link.requireReceipts(topic);
        } catch (LinkException e) {
            throw e.code() == LinkException.Code.FORBIDDEN
                    ? new LinkException(e.code(), "the user has no right to publish to topic " + topic, e)
                    : e;
        }
    }

    /** Opens the topic's questions to holders; returns at once, also when the network is away. */
    @Override
    public synchronized void openHolders(String topic) {
        holders.computeIfAbsent(
                topic, name -> pump("holders of " + name, () -> link.holders(name, agent), onQuestion, holders));
    }

    /** Returns the topics whose receipts are kept for this agent. */
    synchronized List<String> receiptTopics() {
        return new ArrayList<>(receipts.keySet());
    }

    private FlowPump pump(String what, Supplier<Inflow> opener, Consumer<Frame> handler, Map<String, FlowPump> open) {
        AtomicReference<FlowPump> made = new AtomicReference<>();
        FlowPump pump = new FlowPump(
                what,
                opener,
                handler,
                reason -> {
                    ended(Objects.requireNonNull(made.get()), open);
                    onEnd.accept(reason);
                },
                threads);
        made.set(pump);
        return pump.start();
    }

    /** What has ended may be opened again. */
    private synchronized void ended(FlowPump pump, Map<String, FlowPump> open) {
        open.values().remove(pump);
    }

    /** Opens in the caller's thread, so that a refusal reaches it; later openings are the pump's. */
    static Supplier<Inflow> opened(Supplier<Inflow> opener) {
        AtomicReference<Inflow> first = new AtomicReference<>(opener.get());
        return () -> {
            Inflow open = first.getAndSet(null);
            return open != null ? open : opener.get();
        };
    }

    @Override
    public synchronized void close() {
        receipts.values().forEach(FlowPump::close);
        holders.values().forEach(FlowPump::close);
    }
}
