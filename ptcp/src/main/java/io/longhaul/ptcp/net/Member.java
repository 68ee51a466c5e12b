package io.longhaul.ptcp.net;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.frame.Greeting;
import io.longhaul.ptcp.frame.Secret;
import io.longhaul.ptcp.session.SessionOwner;
import io.netty.channel.Channel;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A session at the end that accepted it: what its connections must prove, and whether its user is known. Thread-safe. */
final class Member implements SessionOwner {
    private final Channel opening;
    private final Secret secret;
    private final Members members;
    private final Consumer<@Nullable PtcpException> ended;
    private final ReplayWindow numbers = new ReplayWindow();
    private final AtomicInteger streams = new AtomicInteger();
    private volatile boolean trusted;

    /** Takes the session's first connection. */
    Member(Channel opening, Secret secret, Members members, Consumer<@Nullable PtcpException> ended) {
        this.opening = opening;
        this.secret = secret;
        this.members = members;
        this.ended = ended;
    }

    Channel opening() {
        return opening;
    }

    /** Returns whether a greeting comes from who opened the session, for the first time. */
    boolean accepts(Greeting greeting) {
        return secret.accepts(greeting) && numbers.take(greeting.number());
    }

    boolean hasStream() {
        return streams.get() > 0;
    }

    /** Counts a stream in until its connection is closed; returns false when there are as many as may be. */
    boolean addStream(Channel channel, int most) {
        if (streams.incrementAndGet() > most) {
            streams.decrementAndGet();
            return false;
        }
        channel.closeFuture().addListener(closed -> streams.decrementAndGet());
        return true;
    }

    @Override
    public boolean isTrusted() {
        return trusted;
    }

    @Override
    public void trust() {
        if (!trusted) {
            members.trust(this);
        }
    }

    /** Only the members say so, since they count by it. */
    void setTrusted() {
        trusted = true;
    }

    @Override
    public void ended(@Nullable PtcpException cause) {
        ended.accept(cause);
    }
}
