package io.longhaul.agent;

import io.longhaul.agent.artemis.BrokerQuestion;
import io.longhaul.agent.link.LinkException;
import io.longhaul.wire.NetworkAnswer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** What a broker knows of the network that it is part of. */
public final class NetworkView {
    private static final long RETRY_MILLIS = 250;

    private NetworkView() {}

    /**
     * Asks a broker; needs no agent and no data directory.
     *
     * @param brokerUrl {@code host:port} or a URL, as for an agent
     * @param user empty for none
     * @param timeout how long to try to reach the broker
     * @throws AgentException {@code UNREACHABLE}, {@code REFUSED} for a wrong login, {@code USAGE} for a bad URL
     */
    public static NetworkAnswer of(
            String brokerUrl, String user, String password, Duration timeout, LongSupplier nanoTime)
            throws InterruptedException {
        long deadlineNs = nanoTime.getAsLong() + timeout.toNanos();
        while (true) {
            try {
                return BrokerQuestion.network(brokerUrl, user, password);
            } catch (LinkException e) {
                if (e.code() != LinkException.Code.UNREACHABLE || nanoTime.getAsLong() - deadlineNs > 0) {
                    throw Failures.translate(e);
                }
            } catch (IllegalArgumentException e) {
                throw Failures.translate(e);
            }
            TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
        }
    }
}
