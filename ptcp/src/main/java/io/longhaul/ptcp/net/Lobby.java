package io.longhaul.ptcp.net;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.PtcpListener;
import io.longhaul.ptcp.PtcpSession;
import io.longhaul.ptcp.frame.Answer;
import io.longhaul.ptcp.frame.Greeting;
import io.longhaul.ptcp.frame.Secret;
import io.longhaul.ptcp.frame.SessionId;
import io.longhaul.ptcp.frame.Version;
import io.longhaul.ptcp.session.Session;
import io.longhaul.ptcp.session.SessionTerms;
import io.longhaul.ptcp.session.Takeover;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Where connections wait until they have said what they are to be, and from where they go to their session.
 *
 * <p>Any thread; every connection on its own event loop.
 */
final class Lobby {
    private static final int STRANGERS_SHARE = 4;
    private final PtcpConfig config;
    private final int maxMembers;
    private final int mostConnections;
    private final Strangers strangers;
    private final BiConsumer<String, String> refused;
    private final Function<PtcpSession, PtcpListener> listeners;
    private final SecureRandom random = new SecureRandom();
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger members = new AtomicInteger(); // connections of sessions
    private final Map<SessionId, Member> sessions = new ConcurrentHashMap<>();

    private record Member(
            Session session, Channel opening, Secret secret, ReplayWindow numbers, AtomicInteger channels) {}

    Lobby(
            PtcpConfig config,
            int maxConnections,
            BiConsumer<String, String> refused,
            Function<PtcpSession, PtcpListener> listeners) {
        this.config = config;
        int maxStrangers = Math.max(1, maxConnections / STRANGERS_SHARE);
        this.maxMembers = maxConnections - maxStrangers;
        this.mostConnections = maxConnections + maxStrangers;
        this.strangers = new Strangers(maxStrangers);
        this.refused = refused;
        this.listeners = listeners;
    }

    /**
     * Counts a connection in, for which the oldest stranger may have to go; closes it and returns false when they come
     * faster than others can be closed.
     */
    boolean enter(Channel channel) {
        int count = connections.incrementAndGet();
        Channel oldest = strangers.makeRoom();
        if (oldest != null) {
            drop(oldest, "crowd", "still without a session when too many newer ones came");
        }
        if (count > mostConnections) {
            connections.decrementAndGet();
            refused.accept("full", from(channel) + ": more than " + mostConnections + " connections");
            channel.close();
            return false;
        }
        strangers.add(channel);
        channel.closeFuture().addListener(closed -> {
            connections.decrementAndGet();
            strangers.remove(channel);
        });
        return true;
    }

    /** Awaits the greeting. */
    void receive(Channel channel) {
        channel.pipeline()
                .addLast(
                        Takeover.GREETING,
                        new Doorkeeper(this, config.connectTimeout().toMillis()));
    }

    /** A whole greeting came. */
    void greeted(Channel channel, Greeting greeting) {
        if (greeting.kind() == Greeting.Kind.OPEN) {
            open(channel, greeting);
        } else {
            join(channel, greeting);
        }
    }

    private void open(Channel channel, Greeting greeting) {
        if (greeting.number() < 1
                || greeting.packetBytes() < PtcpConfig.LEAST_PACKET_BYTES
                || greeting.windowBytes() < greeting.packetBytes()) {
            refuse(
                    channel,
                    Answer.Refusal.PROTOCOL,
                    "asks for " + greeting.number() + " streams, packets of " + greeting.packetBytes()
                            + ", a window of " + greeting.windowBytes());
            return;
        }
        if (isFull(channel)) {
            return;
        }
        SessionTerms terms = new SessionTerms(
                SessionId.random(random),
                Secret.random(random),
                Math.min(greeting.number(), config.maxStreams()),
                Math.min(greeting.packetBytes(), config.packetBytes()),
                config.windowBytes(),
                greeting.windowBytes());
        Session session = new Session(terms, config, channel, null, listeners, () -> sessions.remove(terms.id()));
        sessions.put(terms.id(), new Member(session, channel, terms.secret(), new ReplayWindow(), new AtomicInteger()));
        answer(channel, greeting, terms);
        session.start();
    }

    private void join(Channel channel, Greeting greeting) {
        Member member = sessions.get(greeting.session());
        if (member == null || !member.secret.accepts(greeting) || !member.numbers.take(greeting.number())) {
            refuse(channel, Answer.Refusal.UNKNOWN, "unknown session, or no proof of belonging to it");
            return;
        }
        if (isFull(channel)) {
            return;
        }
        SessionTerms terms = member.session.terms();
        if (greeting.kind() == Greeting.Kind.RESUME) {
            admit(channel);
            answer(channel, greeting, terms);
            member.session.resume(channel);
            return;
        }
        if (member.channels.incrementAndGet() > 2 * terms.maxStreams()) {
            member.channels.decrementAndGet();
            refuse(channel, Answer.Refusal.FULL, "more than " + 2 * terms.maxStreams() + " streams of one session");
            return;
        }
        admit(member.opening);
        admit(channel);
        channel.closeFuture().addListener(closed -> member.channels.decrementAndGet());
        answer(channel, greeting, terms);
        member.session.join(greeting.number(), channel);
    }

    private boolean isFull(Channel channel) {
        boolean full = members.get() >= maxMembers;
        if (full) {
            refuse(channel, Answer.Refusal.FULL, "more than " + maxMembers + " connections of sessions");
        }
        return full;
    }

    /** A session's connection is no stranger any more; nothing when it is none already. */
    private void admit(Channel channel) {
        if (strangers.remove(channel)) {
            members.incrementAndGet();
            channel.closeFuture().addListener(closed -> members.decrementAndGet());
        }
    }

    private void answer(Channel channel, Greeting greeting, SessionTerms terms) {
        boolean opens = greeting.kind() == Greeting.Kind.OPEN;
        ByteBuf out = channel.alloc().directBuffer(Answer.BYTES);
        new Answer(
                        Version.choose(greeting.newest(), greeting.oldest()),
                        terms.id(),
                        opens ? terms.maxStreams() : greeting.number(),
                        terms.packetBytes(),
                        terms.windowBytes(),
                        opens ? terms.secret() : Secret.random(random))
                .write(out);
        channel.writeAndFlush(out, channel.voidPromise());
    }

    /** Says no, in the log and to the other end. */
    void refuse(Channel channel, Answer.Refusal refusal, String why) {
        refused.accept(refusal.name(), from(channel) + ": " + why);
        ByteBuf out = channel.alloc().directBuffer(Answer.BYTES);
        Answer.refuse(out, refusal, why);
        channel.writeAndFlush(out).addListener(ChannelFutureListener.CLOSE);
    }

    /** Closes without a word: who is there does not speak the protocol. */
    void drop(Channel channel, String kind, String why) {
        refused.accept(kind, from(channel) + ": " + why);
        channel.close();
    }

    private static String from(Channel channel) {
        return "connection from " + channel.remoteAddress();
    }

    void close() {
        for (Member member : sessions.values()) {
            member.session.abort("the acceptor stops");
        }
    }
}
