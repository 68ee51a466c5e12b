package io.longhaul.agent;

import io.longhaul.agent.link.LinkListener;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Tells the weather on the link in lines for a person. Thread-safe when the consumer is. */
final class Weather implements LinkListener {
    private final String broker;
    private final Consumer<String> notices;
    private final AtomicBoolean connected;

    /**
     * @param connected whether there is a connection before the first news of one
     */
    Weather(String broker, boolean connected, Consumer<String> notices) {
        this.broker = broker;
        this.connected = new AtomicBoolean(connected);
        this.notices = notices;
    }

    @Override
    public void disconnected(String why) {
        notices.accept(why + "; reconnecting");
    }

    @Override
    public void reconnected() {
        notices.accept((connected.getAndSet(true) ? "reconnected to " : "connected to ") + broker);
    }

    @Override
    public void paused(String why) {
        notices.accept("broker takes nothing for now: " + why);
    }

    @Override
    public void resumed() {
        notices.accept("broker takes frames again");
    }
}
