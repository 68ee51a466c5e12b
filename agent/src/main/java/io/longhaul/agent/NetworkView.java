package io.longhaul.agent;

import io.longhaul.agent.artemis.BrokerQuestion;
import io.longhaul.agent.link.LinkException;
import io.longhaul.wire.Names;
import io.longhaul.wire.NetworkAnswer;
import io.longhaul.wire.RemovalAnswer;
import io.longhaul.wire.WireException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** What a broker knows of the network that it is part of. May be used from any thread; what asks blocks. */
public final class NetworkView {
    private static final long RETRY_MILLIS = 250;

    private final String brokerUrl;
    private final String user;
    private final String password;
    private final Duration timeout;
    private final LongSupplier nanoTime;

    /**
     * Takes who is asked; needs no agent and no data directory, and connects at each question.
     *
     * @param brokerUrl {@code host:port} or a URL, as for an agent
     * @param user empty for none
     * @param password empty for none; never logged
     * @param timeout how long to try to reach the broker
     * @param nanoTime a clock for that, {@link System#nanoTime} but in tests
     */
    public NetworkView(String brokerUrl, String user, String password, Duration timeout, LongSupplier nanoTime) {
        this.brokerUrl = Objects.requireNonNull(brokerUrl, "brokerUrl");
        this.user = Objects.requireNonNull(user, "user");
        this.password = Objects.requireNonNull(password, "password");
        this.timeout = Objects.requireNonNull(timeout, "timeout");
        this.nanoTime = Objects.requireNonNull(nanoTime, "nanoTime");
    }

    /**
     * Returns what the broker knows.
     *
     * @throws AgentException {@code UNREACHABLE}, {@code REFUSED} for a wrong login, {@code USAGE} for a bad URL
     */
    public NetworkAnswer ask() throws InterruptedException {
        return ask(() -> BrokerQuestion.network(brokerUrl, user, password));
    }

    /**
     * Has the broker take a neighbour that is gone for good out of the network, and returns what was kept for it.
     *
     * @param broker the neighbour's name
     * @param force whether what waits for it is given up
     * @throws AgentException as {@link #ask()}; {@code USAGE} for a name that no broker has; {@code REFUSED} when the broker says
     *     why it does not
     */
    public RemovalAnswer remove(String broker, boolean force) throws InterruptedException {
        Objects.requireNonNull(broker, "broker");
        RemovalAnswer answer =
                ask(() -> BrokerQuestion.removal(brokerUrl, user, password, Names.broker(broker), force));
        if (!answer.refusal().isEmpty()) {
            throw new AgentException(AgentException.Code.REFUSED, answer.refusal());
        }
        return answer;
    }

    private <T> T ask(Supplier<T> question) throws InterruptedException {
        long deadlineNs = nanoTime.getAsLong() + timeout.toNanos();
        while (true) {
            try {
                return question.get();
            } catch (LinkException e) {
                if (e.code() != LinkException.Code.UNREACHABLE || nanoTime.getAsLong() - deadlineNs > 0) {
                    throw Failures.translate(e);
                }
            } catch (IllegalArgumentException | WireException e) {
                throw Failures.translate(e);
            }
            TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
        }
    }
}
