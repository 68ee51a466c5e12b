package io.longhaul.broker;

import io.longhaul.broker.artemis.HostPort;
import io.longhaul.broker.artemis.PairTerms;
import io.longhaul.broker.artemis.ServerSettings;
import io.longhaul.broker.artemis.TlsServer;
import io.longhaul.broker.limits.Quotas;
import io.longhaul.broker.users.TopicPattern;
import io.longhaul.ptcp.artemis.BrokerUrl;
import io.longhaul.ptcp.artemis.PtcpParameters;
import java.util.ArrayList;
import java.util.List;

/** Turns what an operator says into what the server needs, sizes derived from the heap included. */
final class BrokerSettings {
    private BrokerSettings() {}

    static ServerSettings of(BrokerConfig config, long heapBytes) {
        List<ServerSettings.Listening> acceptors = new ArrayList<>();
        for (String text : config.listen()) {
            acceptors.add(new ServerSettings.Listening(hostPort("listen", text), false));
        }
        for (String text : config.listenCore()) {
            acceptors.add(new ServerSettings.Listening(hostPort("listen-core", text), true));
        }
        if (config.links().forwardOnly() && config.pair().isPresent()) {
            throw new BrokerException(
                    BrokerException.Code.BAD_CONFIG,
                    "forward-only: a broker that keeps nothing has nothing to mirror; expected no backup");
        }
        acceptors.forEach(each -> check(each.address(), config.users().isPresent()));
        return new ServerSettings(
                config.name(),
                config.data().toAbsolutePath().normalize(),
                acceptors,
                config.journal() == JournalKind.AIO,
                ServerSettings.Memory.of(heapBytes),
                new ServerSettings.Limits(
                        config.backlogLimitBytes(),
                        config.diskFloorBytes(),
                        config.limiting().eachUser(),
                        topics(config.limiting())),
                config.users(),
                config.tls().map(tls -> new TlsServer(tls.certificate(), tls.key(), tls.clientCa())),
                config.links().to().stream()
                        .map(to -> link(to, config.links(), acceptors))
                        .toList(),
                config.links().fanOut(),
                config.links().forwardOnly(),
                config.pair().map(pair -> pair(pair, config, acceptors)));
    }

    private static List<Quotas.Topics> topics(BrokerConfig.Limiting limiting) {
        List<Quotas.Topics> topics = new ArrayList<>();
        limiting.topics().forEach((pattern, limit) -> {
            try {
                topics.add(new Quotas.Topics(pattern, new TopicPattern(pattern)::matches, limit));
            } catch (IllegalArgumentException e) {
                throw new BrokerException(BrokerException.Code.BAD_CONFIG, "limit-topic: " + e.getMessage(), e);
            }
        });
        return topics;
    }

    private static PairTerms pair(
            BrokerConfig.Pairing pair, BrokerConfig config, List<ServerSettings.Listening> acceptors) {
        if (acceptors.get(0).core()
                || acceptors.stream().anyMatch(each -> each.address().port() == 0)) {
            throw new BrokerException(
                    BrokerException.Code.BAD_CONFIG,
                    "listen: a broker of a pair is found again at its address: expected HOST:PORT with a port of 1..65535");
        }
        if (config.users().isPresent() && config.links().user().isEmpty()) {
            throw new BrokerException(
                    BrokerException.Code.BAD_CONFIG,
                    "link-user: with users the brokers of a pair know each other by an account; expected one, found none");
        }
        return new PairTerms(
                pair.backup(),
                other(pair.backup() ? "backup-of" : "backup", pair.partner(), acceptors),
                pair.witness().map(witness -> other("witness", witness, acceptors)),
                config.links().user(),
                config.links().password(),
                pair.takeOver());
    }

    /** Returns where another broker is: one that waits for itself to answer waits for ever. */
    private static PtcpParameters other(String key, String text, List<ServerSettings.Listening> acceptors) {
        PtcpParameters place = place(key, text);
        expectOther(key, text, List.of(place), acceptors);
        return place;
    }

    private static void expectOther(
            String key, String text, List<PtcpParameters> places, List<ServerSettings.Listening> acceptors) {
        for (PtcpParameters place : places) {
            HostPort to = new HostPort(place.host(), place.port());
            if (acceptors.stream().anyMatch(own -> own.address().equals(to))) {
                throw new BrokerException(
                        BrokerException.Code.BAD_CONFIG,
                        key + " " + text + ": expected another broker, found this one");
            }
        }
    }

    private static PtcpParameters place(String key, String text) {
        List<PtcpParameters> places = places(key, text);
        if (places.size() != 1) {
            throw new BrokerException(
                    BrokerException.Code.BAD_CONFIG, key + " " + BrokerUrl.shown(text) + ": expected one HOST:PORT");
        }
        return places.get(0);
    }

    private static List<PtcpParameters> places(String key, String text) {
        List<BrokerUrl> urls = urls(key, text);
        try {
            if (!urls.stream().allMatch(BrokerUrl::parallel)) {
                throw new IllegalArgumentException("expected parallel TCP, found tcp://");
            }
            List<PtcpParameters> places =
                    urls.stream().map(BrokerUrl::parameters).toList();
            // a file that is missing, or a proxy's address that is none, would look like a broker that is away
            places.forEach(place -> place.target(System.getenv(), Runnable::run));
            return places;
        } catch (IllegalArgumentException e) {
            throw new BrokerException(
                    BrokerException.Code.BAD_CONFIG, key + " " + BrokerUrl.shown(text) + ": " + e.getMessage(), e);
        }
    }

    /** What is wrong with one names it, but for a password in it. */
    private static List<BrokerUrl> urls(String key, String text) {
        try {
            return BrokerUrl.parseAll(text);
        } catch (IllegalArgumentException e) {
            throw new BrokerException(BrokerException.Code.BAD_CONFIG, key + ": " + e.getMessage(), e);
        }
    }

    private static ServerSettings.LinkTo link(
            String to, BrokerConfig.Links links, List<ServerSettings.Listening> acceptors) {
        List<PtcpParameters> places = places("link", to);
        expectOther("link", to, places, acceptors);
        return new ServerSettings.LinkTo(places, links.user(), links.password());
    }

    private static HostPort hostPort(String key, String text) {
        int colon = text.lastIndexOf(':');
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            if (colon > 0 && port >= 0 && port <= 65535) {
                String host = text.substring(0, colon);
                boolean bracketed = host.startsWith("[") && host.endsWith("]");
                return new HostPort(bracketed ? host.substring(1, host.length() - 1) : host, port);
            }
        } catch (NumberFormatException e) {
            // told below, with the same words as every other malformed address
        }
        throw new BrokerException(
                BrokerException.Code.BAD_CONFIG, key + ": expected HOST:PORT with a port of 0..65535, found " + text);
    }

    private static void check(HostPort address, boolean anywhere) {
        ListenAddress.check(
                "listen " + address,
                address.host(),
                anywhere,
                "there is no users file",
                "give --users FILE or listen on 127.0.0.1");
    }
}
