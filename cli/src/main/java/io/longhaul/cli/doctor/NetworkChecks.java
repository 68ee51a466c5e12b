package io.longhaul.cli.doctor;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URISyntaxException;

/** Ports to listen on and brokers to reach. */
public final class NetworkChecks {
    private static final int PATIENCE_MS = 5_000;

    private NetworkChecks() {}

    /** Looks whether an address could be listened on. */
    public static Finding listen(String host, int port) {
        String place = host + ":" + port;
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(host, port));
            return Finding.ok("port", place + " is free");
        } catch (IOException e) {
            return Finding.warning(
                    "port",
                    place + " cannot be listened on: " + e.getMessage(),
                    "fine when your broker runs there; otherwise choose another port with --listen");
        }
    }

    /** Looks whether a broker's address takes connections; does not log in. */
    public static Finding broker(String url) {
        try {
            URI uri = new URI(url.matches("[a-z]+://.*") ? url : "ptcp://" + url);
            if (uri.getHost() == null || uri.getPort() < 0) {
                return Finding.failed("broker", url + " is no HOST:PORT", "give --broker HOST:PORT");
            }
            String place = uri.getHost() + ":" + uri.getPort();
            try (Socket socket = new Socket()) {
                socket.connect(
                        new InetSocketAddress(uri.getHost().replaceAll("[\\[\\]]", ""), uri.getPort()), PATIENCE_MS);
                return Finding.ok("broker", place + " takes connections");
            } catch (IOException e) {
                return Finding.failed(
                        "broker",
                        place + ": " + e.getMessage(),
                        "start the broker, or check host, port and firewalls between here and there");
            }
        } catch (URISyntaxException e) {
            return Finding.failed("broker", url + " is no HOST:PORT", "give --broker HOST:PORT");
        }
    }
}
