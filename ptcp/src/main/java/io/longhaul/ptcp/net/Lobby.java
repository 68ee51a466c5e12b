package io.longhaul.ptcp.net;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.PtcpException;
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
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where connections wait until they have said what they are to be, and from where they go to their session.
 *
 * <p>Any thread; every connection on its own event loop.
 */
final class Lobby {
    /** Of sessions that have ended; a stream that comes later than that many others is a stranger. */
    private static final int MOST_REMEMBERED = 256;

    private static final String UNKNOWN = "unknown session, or no proof of belonging to it";

    private final PtcpConfig config;
    private final boolean logins;
    private final int mostConnections;
    private final Strangers strangers;
    private final BiConsumer<String, String> refused;
    private final Function<PtcpSession, PtcpListener> listeners;
    private final SecureRandom random = new SecureRandom();
    private final AtomicInteger connections = new AtomicInteger();
    private final Members members;
    private final Map<SessionId, Place> sessions = new ConcurrentHashMap<>();
    private final Set<SessionId> endedLately =
            Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<SessionId, Boolean> eldest) {
                    return size() > MOST_REMEMBERED;
                }
            }));
    private volatile boolean leaving; // sessions end because this end stops

    private record Place(Session session, Member member) {}

    Lobby(PtcpConfig config, PtcpServer.Settings settings, Function<PtcpSession, PtcpListener> listeners) {
        this.config = config;
        this.logins = settings.logins();
        this.strangers = new Strangers(settings.maxConnections(), channel -> false);
        this.mostConnections = settings.maxConnections() + strangers.most();
        this.members = new Members(settings.maxConnections() - strangers.most());
        this.refused = settings.refused();
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
        Member member = new Member(channel, terms.secret(), members, cause -> ended(terms.id(), cause));
        Session session = new Session(terms, config, channel, null, listeners, member, System::nanoTime);
        sessions.put(terms.id(), new Place(session, member));
        answer(channel, greeting, terms);
        session.start();
    }

    private void join(Channel channel, Greeting greeting) {
        Place place = sessions.get(greeting.session());
        if (place == null && endedLately.contains(greeting.session())) {
            // its stream was on the way when the session ended, which is nobody's fault
            answerNo(channel, Answer.Refusal.UNKNOWN, UNKNOWN);
            return;
        }
        if (place == null || !place.member().accepts(greeting)) {
            refuse(channel, Answer.Refusal.UNKNOWN, UNKNOWN);
            return;
        }
        Session session = place.session();
        Member member = place.member();
        SessionTerms terms = session.terms();
        if (greeting.kind() == Greeting.Kind.RESUME) {
            admit(channel, member);
            answer(channel, greeting, terms);
            session.resume(channel);
            return;
        }
        // what a session cannot live without it may have even then
        if (member.hasStream() && isFull(channel)) {
            return;
        }
        if (!member.addStream(channel, 2 * terms.maxStreams())) {
            refuse(channel, Answer.Refusal.FULL, "more than " + 2 * terms.maxStreams() + " streams of one session");
            return;
        }
        if (!logins) {
            member.trust();
        }
        admit(member.opening(), member);
        admit(channel, member);
        answer(channel, greeting, terms);
        session.join(greeting.number(), channel);
    }

    /** Who never was anybody is told of; the loss of a user's session is none of a stranger's. */
    private void ended(SessionId id, @Nullable PtcpException cause) {
        if (sessions.containsKey(id)) {
            endedLately.add(id); // before it is gone: a stream may come in between
        }
        Place place = sessions.remove(id);
        if (place != null && cause != null && !place.member().isTrusted() && !leaving) {
            refused.accept(cause.code().name(), from(place.member().opening()) + " ended: " + cause.getMessage());
        }
    }

    private boolean isFull(Channel channel) {
        boolean full = members.isFull();
        if (full) {
            refuse(channel, Answer.Refusal.FULL, "more than " + members.most() + " connections of sessions");
        }
        return full;
    }

    /** A session's connection is no stranger any more; nothing when it is none already. */
    private void admit(Channel channel, Member member) {
        if (strangers.remove(channel)) {
            Channel oldest = members.add(channel, member);
            if (oldest != null) {
                drop(oldest, "crowd", "its user still unknown when too many newer ones came");
            }
            channel.closeFuture().addListener(closed -> members.remove(channel));
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
                        config.firstWindowBytes(),
                        opens ? terms.secret() : Secret.random(random))
                .write(out);
        channel.writeAndFlush(out, channel.voidPromise());
    }

    /** Says no, in the log and to the other end. */
    void refuse(Channel channel, Answer.Refusal refusal, String why) {
        refused.accept(refusal.name(), from(channel) + ": " + why);
        answerNo(channel, refusal, why);
    }

    private static void answerNo(Channel channel, Answer.Refusal refusal, String why) {
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

    /** What ends from now on is no stranger's fault. */
    void leave() {
        leaving = true;
    }

    void close() {
        for (Place place : sessions.values()) {
            place.session().abort("the acceptor stops");
        }
    }
}
