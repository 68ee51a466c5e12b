package io.longhaul.broker.artemis;

import io.longhaul.broker.link.LinkSession;
import io.longhaul.ptcp.PtcpSession;
import io.longhaul.ptcp.artemis.PtcpParameters;
import io.longhaul.ptcp.net.PtcpClient;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens one link that this broker is told to have, and opens it again whenever it is lost. */
final class LinkDialer {
    private static final Logger LOG = LoggerFactory.getLogger(LinkDialer.class);
    private static final long LEAST_PAUSE_MILLIS = 100;
    private static final long MOST_PAUSE_MILLIS = 1000;

    private final ServerSettings.LinkTo to;
    private int place; // network's thread only; which of the link's places is tried
    private final PtcpClient client;
    private final Network network;
    private final String self;
    private final ScheduledExecutorService thread;
    private final Executor names;
    private long pauseMillis = LEAST_PAUSE_MILLIS; // network's thread only
    private String said = ""; // network's thread only
    private String peer = ""; // network's thread only; who was there the last time
    private boolean idle; // network's thread only; whether it was said that another link stands

    /** What all links of a broker share. */
    record Shared(PtcpClient client, Network network, String self, ScheduledExecutorService thread, Executor names) {}

    LinkDialer(ServerSettings.LinkTo to, Shared shared) {
        this.to = to;
        this.client = shared.client();
        this.network = shared.network();
        this.self = shared.self();
        this.thread = shared.thread();
        this.names = shared.names();
    }

    /** Tries once; tries again by itself. On the network's thread. */
    void dial() {
        if (network.hasOpened(peer)) {
            waitForOther();
            return;
        }
        idle = false;
        AtomicBoolean done = new AtomicBoolean();
        LinkConversation.Ending ending = (stood, why) -> {
            if (done.compareAndSet(false, true)) {
                network.execute("link to " + where(), () -> again(stood, why));
            }
        };
        LinkConversation conversation =
                new LinkConversation(network, self, new LinkConversation.Opener(to.user(), to.password(), ending));
        PtcpParameters parameters = parameters();
        try {
            CompletableFuture<PtcpSession> opened = client.open(
                    parameters.target(System.getenv(), names),
                    parameters.config(),
                    session -> LinkSession.opening(session, conversation));
            opened.whenComplete((session, failure) -> {
                if (failure != null) {
                    ending.ended(Optional.empty(), String.valueOf(failure.getMessage()));
                }
            });
        } catch (IllegalArgumentException e) {
            ending.ended(Optional.empty(), String.valueOf(e.getMessage()));
        }
    }

    /** One link to a broker is enough: two would take each other's place for ever. */
    private void waitForOther() {
        if (!idle) {
            LOG.warn("link to {}: waits while another link of this broker to {} stands", where(), peer);
            idle = true;
        }
        later(MOST_PAUSE_MILLIS);
    }

    private PtcpParameters parameters() {
        return to.places().get(place);
    }

    private String where() {
        return parameters().host() + ":" + parameters().port();
    }

    private void again(Optional<String> stood, String why) {
        if (stood.isPresent()) {
            peer = stood.get();
            pauseMillis = LEAST_PAUSE_MILLIS;
            said = "";
        } else {
            String line = where() + ": not yet: " + why;
            place = (place + 1) % to.places().size();
            if (!said.contains(line)) {
                LOG.warn("link to {}; tried again", line);
                said = place == 0 ? line : said + "; " + line;
            }
        }
        later(pauseMillis);
        pauseMillis = Math.min(2 * pauseMillis, MOST_PAUSE_MILLIS);
    }

    private void later(long millis) {
        try {
            thread.schedule(this::dial, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("link to {}: the broker is closing", where());
        }
    }
}
