package io.longhaul.cli.doctor;

import io.longhaul.ptcp.UnknownHost;
import io.longhaul.ptcp.artemis.BrokerUrl;
import io.longhaul.ptcp.net.PtcpClient;
import io.longhaul.ptcp.proxy.HttpProxy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/** Ports to listen on and brokers to reach. */
public final class NetworkChecks {
    private static final int PATIENCE_MS = 5_000;

    private NetworkChecks() {}

    /** Looks whether an address could be listened on. */
    public static Finding listen(String host, int port) {
        Place place = new Place(host, port);
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByName(host), port));
            return Finding.ok("port", place + " is free");
        } catch (IOException e) {
            String found = place + " cannot be listened on: " + reason(e);
            return found.contains("in use")
                    ? Finding.warning(
                            "port",
                            found,
                            "fine when your broker runs there; otherwise choose another port with --listen")
                    : Finding.failed(
                            "port",
                            found,
                            "choose an address of this machine, and a port that this user may have, with --listen");
        }
    }

    /**
     * Looks whether a broker's address takes connections, or one of several that stand in for each other; no login. A
     * broker behind a proxy need not be reachable from here: then it is the proxy that must take them.
     */
    public static Finding broker(String url) {
        List<BrokerUrl> places;
        try {
            places = BrokerUrl.parseAll(url);
            places.stream()
                    .filter(BrokerUrl::parallel)
                    .forEach(each -> each.parameters().target(System.getenv(), Runnable::run));
        } catch (IllegalArgumentException e) {
            return Finding.failed("broker", String.valueOf(e.getMessage()), "correct --broker");
        }
        String proxy = places.get(0).proxy();
        if (!proxy.isEmpty()) {
            HttpProxy through = HttpProxy.parse(proxy);
            return first("proxy", List.of(new Place(through.host(), through.port())), "check proxy=... of --broker");
        }
        return first(
                "broker",
                places.stream()
                        .map(place -> new Place(place.host(), place.port()))
                        .toList(),
                "start the broker, or check host, port and firewalls between here and there");
    }

    private record Place(String host, int port) {
        @Override
        public String toString() {
            return PtcpClient.Target.plain(host, port).toString();
        }
    }

    private static Finding first(String check, List<Place> places, String advice) {
        List<String> failures = new ArrayList<>();
        for (Place place : places) {
            try {
                connect(InetAddress.getAllByName(place.host()), place.port());
                return Finding.ok(check, place + " takes connections");
            } catch (IOException e) {
                failures.add(place + ": " + reason(e));
            }
        }
        return Finding.failed(check, String.join("; ", failures), advice);
    }

    /** Tries all addresses of a name, as those do who connect in earnest. */
    static void connect(InetAddress[] addresses, int port) throws IOException {
        IOException failure = new IOException("no address");
        for (InetAddress address : addresses) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(address, port), PATIENCE_MS);
                return;
            } catch (IOException e) {
                failure = e;
            }
        }
        throw failure;
    }

    /** Of a name without an address Java says the name only. */
    static String reason(IOException failure) {
        String words = String.valueOf(failure.getMessage());
        return failure instanceof UnknownHostException ? UnknownHost.words(words) : words;
    }
}
