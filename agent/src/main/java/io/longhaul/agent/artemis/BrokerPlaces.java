package io.longhaul.agent.artemis;

import io.longhaul.agent.link.LinkException;
import io.longhaul.ptcp.artemis.BrokerUrl;
import io.longhaul.ptcp.net.ClientTls;
import io.longhaul.ptcp.net.PemFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The places where a broker may be: one, or both of a pair. Where the last connection stood is tried first. Used by one
 * thread at a time.
 */
final class BrokerPlaces {
    private final List<BrokerUrl> urls;
    private int first;

    private BrokerPlaces(List<BrokerUrl> urls) {
        this.urls = urls;
    }

    /** Reads a URL; throws {@link IllegalArgumentException} when it is none, or a file or a proxy that it names is none. */
    static BrokerPlaces parse(String url) {
        List<BrokerUrl> urls = BrokerUrl.parseAll(url);
        urls.forEach(BrokerPlaces::check);
        return new BrokerPlaces(urls);
    }

    /** What is wrong here would look like a broker that is away, which is waited for. */
    private static void check(BrokerUrl url) {
        if (url.parallel()) {
            url.parameters().target(System.getenv(), Runnable::run);
        } else { // Artemis's own transport reads keys in more forms than that
            if (!url.ca().isEmpty()) {
                ClientTls.ofFiles(url.ca(), "", url.verifyHost());
            }
            requirePem(url.certificate());
        }
    }

    private static void requirePem(String file) {
        if (!file.isEmpty() && !isPem(Path.of(file))) {
            throw new IllegalArgumentException(
                    "broker URL: expected a PEM file that can be read, found none at " + file);
        }
    }

    private static boolean isPem(Path file) {
        try {
            return PemFile.text(file).contains("-----BEGIN ");
        } catch (IOException | IllegalArgumentException e) {
            return false;
        }
    }

    /** Connects to the first that can be reached; throws {@link LinkException} as a single one would. */
    BrokerConnection open(BrokerConnection.Credentials credentials, int consumerWindowBytes, Runnable onFailure) {
        LinkException unreachable = null;
        for (int i = 0; i < urls.size(); i++) {
            int number = (first + i) % urls.size();
            try {
                BrokerConnection opened =
                        BrokerConnection.open(urls.get(number), credentials, consumerWindowBytes, onFailure);
                first = number;
                return opened;
            } catch (LinkException e) {
                if (e.code() != LinkException.Code.UNREACHABLE || e instanceof RefusingProxy) {
                    throw e; // to all places the way is by the same proxy
                }
                unreachable = both(unreachable, e);
            }
        }
        throw unreachable == null ? new LinkException(LinkException.Code.UNREACHABLE, "no broker") : unreachable;
    }

    private static LinkException both(@Nullable LinkException before, LinkException next) {
        if (before == null) {
            return next;
        }
        String message = before.getMessage() + "; " + next.getMessage();
        return before instanceof BusyBroker || next instanceof BusyBroker
                ? new BusyBroker(message, next)
                : new LinkException(next.code(), message, next);
    }

    @Override
    public String toString() {
        return urls.stream().map(BrokerUrl::toString).collect(Collectors.joining(","));
    }
}
