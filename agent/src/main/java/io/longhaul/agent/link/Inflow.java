package io.longhaul.agent.link;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A durable flow of frames to this agent. Used by one thread at a time.
 *
 * <p>A delivery that was not acknowledged comes again after an outage, at the head of the flow.
 */
public interface Inflow extends AutoCloseable {

    /** Returns the next delivery, or null when none came in time or the link is down. No time is for what is here already. */
    @Nullable
    Delivery poll(Duration timeout) throws InterruptedException;

    /**
     * Says that this delivery and all before it are safe here. Does nothing for deliveries from before an outage.
     */
    void acknowledge(Delivery last);

    /** Returns how many messages wait at the broker or in delivery, or -1 when the link is down. */
    long backlog();

    /** Stops the flow; what is not acknowledged stays at the broker. */
    @Override
    void close();
}
