package io.longhaul.broker.artemis;

import io.longhaul.broker.link.LinkSession;
import io.longhaul.ptcp.PtcpSession;
import io.longhaul.ptcp.artemis.PtcpParameters;
import io.longhaul.ptcp.net.PtcpClient;
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
                    ending.ended(false, String.valueOf(failure.getMessage()));
                }
            });
        } catch (IllegalArgumentException e) {
            ending.ended(false, String.valueOf(e.getMessage()));
        }
    }

    private PtcpParameters parameters() {
        return to.places().get(place);
    }

    private String where() {
        return parameters().host() + ":" + parameters().port();
    }

    private void again(boolean stood, String why) {
        if (stood) {
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
        try {
            thread.schedule(this::dial, pauseMillis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("link to {}: the broker is closing", where());
        }
        pauseMillis = Math.min(2 * pauseMillis, MOST_PAUSE_MILLIS);
    }
}
