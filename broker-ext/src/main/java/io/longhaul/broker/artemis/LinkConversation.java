package io.longhaul.broker.artemis;

import io.longhaul.broker.link.LinkCodec;
import io.longhaul.broker.link.LinkFrame;
import io.longhaul.broker.link.LinkHandler;
import io.longhaul.broker.link.LinkSession;
import io.longhaul.wire.BrokerReport;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.Names;
import io.longhaul.wire.WireException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is said on one session of a link, from its greeting to its end; gives messages to where they go and everything
 * else to the network.
 */
final class LinkConversation implements LinkHandler {
    private static final Logger LOG = LoggerFactory.getLogger(LinkConversation.class);

    private static final int MOST_WAITING = 1000;

    private final Network network;
    private final String self;
    private final Side side;
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile @Nullable Standing standing;
    private boolean greeted; // session's event loop only

    private record Standing(String peer, Network.Ends ends) {}

    /** Which side of a link this is. */
    sealed interface Side {}

    /**
     * This broker opened the link.
     *
     * @param opening told when the link stands, and when the session has ended
     */
    record Opener(String user, String password, Opening opening) implements Side {
        @Override
        public String toString() {
            return "Opener[user=" + user + "]";
        }
    }

    /** The other broker opened the link. */
    record Acceptor(LinkDoor door, QuietLog log) implements Side {}

    /** Whoever has opened a link, and hears what becomes of it. */
    interface Opening {
        /** It stands. On the network's thread. */
        void stands(String peer);

        /** It has ended, or has never stood. May come twice. */
        void ended(End end);
    }

    /**
     * Why a session is over.
     *
     * @param stood whether it had become a link
     * @param refusal what the other broker, or this one, has against it; empty when nobody refused it
     */
    record End(boolean stood, Optional<LinkFrame.Reason> refusal, String why) {
        static End refused(LinkFrame.Refused refused) {
            return new End(false, Optional.of(refused.reason()), refused.text());
        }
    }

    LinkConversation(Network network, String self, Side side) {
        this.network = network;
        this.self = self;
        this.side = side;
    }

    @Override
    public void opened(LinkSession session) {
        if (side instanceof Opener opener) {
            session.send(new LinkFrame.Hello(LinkCodec.VERSION, self, opener.user(), opener.password()));
        }
    }

    @Override
    public void received(LinkSession session, LinkFrame frame) {
        if (frame instanceof LinkFrame.Carried carried) {
            Standing now = standing;
            if (now == null) {
                carried.message().release();
                session.abort("a message before the link stands");
            } else {
                now.ends().inlet().received(carried);
            }
        } else if (frame instanceof LinkFrame.Taken taken) {
            Standing now = standing;
            if (now != null) {
                now.ends().outlet().taken(session, taken.sequence());
            }
        } else if (!greeted) {
            greeted = true;
            greeting(session, frame);
        } else if (standing == null && side instanceof Acceptor) {
            session.abort("a frame before the link stands");
        } else if (waiting.incrementAndGet() > MOST_WAITING) {
            session.abort("more than " + MOST_WAITING + " frames wait");
        } else {
            network.execute("a frame from " + session, () -> {
                waiting.decrementAndGet();
                talk(session, frame);
            });
        }
    }

    private void greeting(LinkSession session, LinkFrame frame) {
        if (frame instanceof LinkFrame.Hello hello && side instanceof Acceptor acceptor) {
            acceptor.door().look(hello, session.remoteAddress(), new LinkDoor.Visitor() {
                @Override
                public boolean isWaiting() {
                    return session.isOpen();
                }

                @Override
                public void answer(LinkDoor.Verdict verdict) {
                    admit(session, hello, acceptor, verdict);
                }
            });
        } else if (frame instanceof LinkFrame.Welcome welcome && side instanceof Opener opener) {
            welcomed(session, welcome, opener);
        } else if (frame instanceof LinkFrame.Refused refused && side instanceof Opener opener) {
            opener.opening().ended(End.refused(refused));
            session.close();
        } else {
            session.abort("a frame before the link stands");
        }
    }

    private void admit(LinkSession session, LinkFrame.Hello hello, Acceptor acceptor, LinkDoor.Verdict verdict) {
        if (verdict.refusal().isPresent()) {
            refuse(session, acceptor, verdict.refusal().get());
            return;
        }
        network.execute("link from " + hello.broker(), () -> {
            Optional<LinkFrame.Refused> objection = network.objection(hello.broker(), false, verdict.rights());
            if (objection.isPresent()) {
                refuse(session, acceptor, objection.get());
                return;
            }
            session.trust();
            attach(
                    session,
                    hello.broker(),
                    verdict.rights(),
                    () -> session.send(new LinkFrame.Welcome(LinkCodec.VERSION, self)));
        });
    }

    private void refuse(LinkSession session, Acceptor acceptor, LinkFrame.Refused refusal) {
        if (refusal.reason() != LinkFrame.Reason.LINKED) {
            acceptor.log().warn("link", "link from " + session + " refused: " + refusal.text());
        }
        session.end(refusal);
    }

    private void welcomed(LinkSession session, LinkFrame.Welcome welcome, Opener opener) {
        Optional<LinkFrame.Refused> fault = fault(welcome);
        if (fault.isPresent()) {
            opener.opening().ended(End.refused(fault.get()));
            session.close();
            return;
        }
        session.trust();
        network.execute("link to " + welcome.broker(), () -> {
            Optional<LinkFrame.Refused> objection = network.objection(welcome.broker(), true, LinkRights.all());
            if (objection.isPresent()) {
                opener.opening().ended(End.refused(objection.get()));
                session.close();
                return;
            }
            attach(
                    session,
                    welcome.broker(),
                    LinkRights.all(),
                    () -> opener.opening().stands(welcome.broker()));
        });
    }

    private Optional<LinkFrame.Refused> fault(LinkFrame.Welcome welcome) {
        try {
            Names.broker(welcome.broker());
        } catch (WireException e) {
            return Optional.of(new LinkFrame.Refused(LinkFrame.Reason.PROTOCOL, String.valueOf(e.getMessage())));
        }
        if (welcome.version() != LinkCodec.VERSION) {
            return Optional.of(new LinkFrame.Refused(
                    LinkFrame.Reason.VERSION,
                    "it speaks version " + welcome.version() + " of the link protocol, expected " + LinkCodec.VERSION));
        }
        return welcome.broker().equals(self)
                ? Optional.of(
                        new LinkFrame.Refused(LinkFrame.Reason.SAME_NAME, "it has this broker's own name, " + self))
                : Optional.empty();
    }

    /** What the other end says from its welcome on is for a link that stands here. */
    private void attach(LinkSession session, String peer, LinkRights rights, Runnable welcome) throws Exception {
        if (!session.isOpen()) {
            return;
        }
        try {
            standing = new Standing(peer, network.attach(peer, session, rights));
            welcome.run();
            network.begin(peer, session);
        } catch (Exception e) {
            session.abort("the link could not be set up");
            throw e;
        }
    }

    /** On the network's thread. */
    private void talk(LinkSession session, LinkFrame frame) throws Exception {
        Standing now = standing;
        if (now == null) {
            session.abort("a frame before the link stands");
            return;
        }
        try {
            if (frame instanceof LinkFrame.Wants wants) {
                network.wants(now.peer(), session, wants);
            } else if (frame instanceof LinkFrame.Known known) {
                network.known(now.peer(), session, known.version());
            } else if (frame instanceof LinkFrame.Report report) {
                network.reported(now.peer(), FrameCodec.fromJson(report.json(), BrokerReport.class));
            } else if (frame instanceof LinkFrame.Unwanted unwanted) {
                network.unwanted(now.peer(), unwanted.address());
            } else {
                session.abort("a frame that does not belong here");
            }
        } catch (WireException e) {
            String line = "link with " + now.peer() + ": " + e.getMessage();
            if (side instanceof Acceptor acceptor) {
                acceptor.log().warn("link-rule", line);
            } else {
                LOG.warn("{}", line);
            }
            session.abort("a frame that breaks a rule");
        } catch (Exception e) {
            session.abort("a frame could not be acted on"); // said again over the next session
            throw e;
        }
    }

    @Override
    public void writable(LinkSession session) {
        Standing now = standing;
        if (now != null) {
            now.ends().outlet().writable();
        }
    }

    @Override
    public void ended(LinkSession session, String why) {
        network.execute("end of a link", () -> {
            Standing now = standing;
            if (now != null) {
                network.ended(now.peer(), session, why);
            }
            if (side instanceof Opener opener) {
                opener.opening().ended(new End(now != null, Optional.empty(), why));
            }
        });
    }
}
