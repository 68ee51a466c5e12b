package io.longhaul.broker.artemis;

import io.longhaul.broker.link.LinkFrame;
import io.longhaul.broker.link.LinkSession;
import io.longhaul.ptcp.PtcpSession;
import io.longhaul.ptcp.artemis.PtcpParameters;
import io.longhaul.ptcp.net.PtcpClient;
import io.longhaul.ptcp.proxy.HttpProxyException;
import io.longhaul.wire.BrokerReport;
import io.longhaul.wire.Names;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens one link that this broker is told to have, and opens it again whenever it is lost. */
final class LinkDialer {
    private static final Logger LOG = LoggerFactory.getLogger(LinkDialer.class);
    private static final String UNREACHABLE = "unreachable";

    /** A link that falls sooner has not been worth a quick try. */
    private static final long GOOD_NS = TimeUnit.SECONDS.toNanos(10);

    private final ServerSettings.LinkTo to;
    private int place; // network's thread only; which of the link's places is tried
    private final PtcpClient client;
    private final Network network;
    private final String self;
    private final ScheduledExecutorService thread;
    private final Executor names;
    private final Backoff backoff; // network's thread only
    private String said = ""; // network's thread only
    private String peer = ""; // network's thread only; who was there the last time
    private boolean idle; // network's thread only; whether it was said that another link stands
    private long sinceNs; // network's thread only; when the last link came to stand

    /** What all links of a broker share. */
    record Shared(PtcpClient client, Network network, String self, ScheduledExecutorService thread, Executor names) {}

    LinkDialer(ServerSettings.LinkTo to, Shared shared) {
        this.to = to;
        this.client = shared.client();
        this.network = shared.network();
        this.self = shared.self();
        this.thread = shared.thread();
        this.names = shared.names();
        this.backoff = new Backoff(to.places().size(), RandomGenerator.getDefault());
    }

    /** Tries once; tries again by itself. On the network's thread. */
    void dial() {
        if (network.hasOpened(peer)) {
            waitForOther();
            return;
        }
        idle = false;
        AtomicBoolean done = new AtomicBoolean();
        LinkConversation.Opening opening = new LinkConversation.Opening() {
            @Override
            public void stands(String name) {
                stood(name);
            }

            @Override
            public void ended(LinkConversation.End end) {
                if (done.compareAndSet(false, true)) {
                    network.execute("link to " + where(), () -> again(end, Backoff.Outcome.AWAY));
                }
            }
        };
        LinkConversation conversation =
                new LinkConversation(network, self, new LinkConversation.Opener(to.user(), to.password(), opening));
        PtcpParameters parameters = parameters();
        try {
            CompletableFuture<PtcpSession> opened = client.open(
                    parameters.target(System.getenv(), names),
                    parameters.config(),
                    session -> LinkSession.opening(session, conversation));
            opened.whenComplete((session, failure) -> {
                if (failure != null && done.compareAndSet(false, true)) {
                    // a proxy may lock an account that it refuses too often
                    Backoff.Outcome outcome =
                            HttpProxyException.isLoginRefused(failure) ? Backoff.Outcome.REFUSED : Backoff.Outcome.AWAY;
                    network.execute("link to " + where(), () -> again(unreachable(failure), outcome));
                }
            });
        } catch (RuntimeException | Error e) {
            // also for want of threads or memory: nobody else would dial again
            opening.ended(unreachable(e));
        }
    }

    private static LinkConversation.End unreachable(Throwable failure) {
        return new LinkConversation.End(false, Optional.empty(), reason(failure));
    }

    /** A stage of futures that others depend on wraps what failed, and would name a class of this code. */
    static String reason(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return String.valueOf(cause.getMessage());
    }

    /** One link to a broker is enough: two would take each other's place for ever. */
    private void waitForOther() {
        if (!idle) {
            LOG.warn("link to {}: waits while another link of this broker to {} stands", where(), peer);
            idle = true;
        }
        network.reporter().opened(to.label());
        later(Backoff.Outcome.AWAY.mostMillis());
    }

    private PtcpParameters parameters() {
        return to.places().get(place);
    }

    private String where() {
        return parameters().place();
    }

    /** The link stands, with this broker. On the network's thread. */
    void stood(String name) {
        peer = name;
        said = "";
        sinceNs = System.nanoTime();
        network.reporter().opened(to.label());
    }

    /** Dials again; {@code unrefused} is what it was when the other one has refused nothing. */
    private void again(LinkConversation.End end, Backoff.Outcome unrefused) {
        if (end.stood()) {
            backoff.succeeded(System.nanoTime() - sinceNs > GOOD_NS);
        } else {
            tell(end);
            place = (place + 1) % to.places().size();
        }
        later(backoff.next(end.refusal().map(LinkDialer::outcome).orElse(unrefused)));
    }

    private static Backoff.Outcome outcome(LinkFrame.Reason refusal) {
        return switch (refusal) {
            case LINKED -> Backoff.Outcome.AWAY;
            case LATER -> Backoff.Outcome.BUSY;
            case VERSION, LOGIN, SAME_NAME, PROTOCOL -> Backoff.Outcome.REFUSED;
        };
    }

    private void tell(LinkConversation.End end) {
        String kind = end.refusal()
                .map(why -> why.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .orElse(UNREACHABLE);
        network.reporter()
                .fails(new BrokerReport.FailingLink(
                        to.label(), kind, to.places().size() > 1 ? where() + ": " + end.why() : end.why()));
        String line = where() + ": not yet: " + (end.refusal().isPresent() ? Names.shown(end.why()) : end.why());
        if (!said.contains(line)) {
            LOG.warn("link to {}; tried again", line);
            said = place == to.places().size() - 1 ? line : said + "; " + line;
        }
    }

    private void later(long millis) {
        try {
            thread.schedule(this::dial, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("link to {}: the broker is closing", where());
        }
    }
}
