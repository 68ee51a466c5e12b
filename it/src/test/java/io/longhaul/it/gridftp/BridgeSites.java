package io.longhaul.it.gridftp;

import static org.awaitility.Awaitility.await;

import io.longhaul.it.gridftp.OtherServers.Running;
import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.CountedWire;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Two sites, each with a broker, and a link between them whose bytes are counted: clients and a front at the near one, a back and
 * a Globus server at the far one.
 */
final class BridgeSites {
    private static final String GUC = "globus-url-copy";

    private final Programs programs;
    private final OtherServers servers;
    private final CountedWire link;
    private final Network near;
    private final Network far;
    private final Node front;
    private final Node back;
    private final String url;
    private Running server;

    private BridgeSites(Testbed testbed, Programs programs) throws IOException {
        this.programs = programs;
        servers = new OtherServers(testbed);
        server = servers.globus();
        far = Network.site(testbed, "far");
        link = CountedWire.open(testbed, far.address());
        near = Network.site(testbed, "near");
        near.broker().with("--link", link.address());
        int port = testbed.freePort();
        url = "ftp://127.0.0.1:" + port + "/";
        back = end(testbed, "back", far).with("--endpoint", "site", "--server", server.url());
        front = end(testbed, "front", near).with("--endpoint", "site", "--listen", "127.0.0.1:" + port);
    }

    private static Node end(Testbed testbed, String which, Network site) {
        return site.node(which, "bridge", which)
                .with("--broker", site.address())
                .with("--data", testbed.directory(which).resolve("data").toString())
                .withMachine("-Xmx256m");
    }

    /** Starts everything; skips the test where a program is missing. */
    static BridgeSites start(Testbed testbed) throws IOException {
        Programs programs = Programs.of(testbed, GUC, "globus-gridftp-server", "curl");
        BridgeSites sites = new BridgeSites(testbed, programs);
        List<Node> nodes = List.of(sites.far.broker(), sites.near.broker(), sites.back, sites.front);
        nodes.forEach(Node::start);
        nodes.forEach(node -> node.child().awaitReady());
        return sites;
    }

    /**
     * A file that a client copies from the one place to the other.
     *
     * @param isUpload to the server; else from it
     * @param isExtended in MODE E with four connections; else in MODE S
     */
    record Copy(String name, boolean isUpload, boolean isExtended) {
        @Override
        public String toString() {
            return (isUpload ? "up" : "down") + (isExtended ? " -p 4" : "");
        }
    }

    /** Returns where the client has the file. */
    Path here(Copy copy) {
        return programs.file(copy.name());
    }

    /** Returns where the server has it. */
    Path there(Copy copy) {
        return server.directory().resolve(copy.name());
    }

    Path source(Copy copy) {
        return copy.isUpload() ? here(copy) : there(copy);
    }

    Path target(Copy copy) {
        return copy.isUpload() ? there(copy) : here(copy);
    }

    /** Starts the client. */
    Child begin(Copy copy) {
        List<String> command = new ArrayList<>(List.of(GUC));
        if (copy.isExtended()) {
            command.addAll(List.of("-p", "4"));
        }
        String local = "file://" + here(copy);
        String remote = url + copy.name();
        command.addAll(copy.isUpload() ? List.of(local, remote) : List.of(remote, local));
        return programs.start(command.toArray(String[]::new));
    }

    /** Removes a file as a client does. */
    void delete(Copy copy) {
        programs.run("curl", "-sS", url, "-o", "/dev/null", "-Q", "DELE " + copy.name());
    }

    /** Lists the directory as a client does; returns the names that the server has then. */
    List<String> listed() {
        programs.run("curl", "-sS", url, "-o", "/dev/null");
        return names();
    }

    /** Returns the names that the server has, those that the bridge hides too. */
    List<String> names() {
        return Trees.entries(server.directory()).stream()
                .map(file -> String.valueOf(file.getFileName()))
                .sorted()
                .toList();
    }

    /** Returns the length of the longest file at the server, however it is named. */
    long arrived() {
        return Trees.files(server.directory()).stream()
                .mapToLong(file -> file.toFile().length())
                .max()
                .orElse(0);
    }

    /** Waits until the front has noted that the client has sent all of a file. */
    void awaitAllTaken(Copy copy) {
        await().atMost(Programs.PATIENCE)
                .until(() -> Trees.files(front.data().resolve("contents")).stream()
                        .filter(file -> file.toString().endsWith(".sidecar"))
                        .map(BridgeSites::text)
                        .anyMatch(text -> text.contains("COMMITTED") && text.contains("/" + copy.name() + '"')));
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            return "";
        } catch (IOException e) {
            throw new UncheckedIOException(file + ": cannot be read", e);
        }
    }

    /** Returns how many bytes have crossed the link between the sites, both ways. */
    long crossed() {
        return link.bytes();
    }

    void kill(BridgeVictim victim) {
        if (victim == BridgeVictim.SERVER) {
            server.kill();
        } else {
            node(victim).kill();
        }
    }

    /** Starts it again and waits until it serves. */
    void start(BridgeVictim victim) {
        if (victim == BridgeVictim.SERVER) {
            server = servers.again(server);
        } else {
            node(victim).startReady();
        }
    }

    private Node node(BridgeVictim victim) {
        return switch (victim) {
            case FRONT -> front;
            case NEAR_BROKER -> near.broker();
            case FAR_BROKER -> far.broker();
            case BACK -> back;
            case SERVER -> throw new IllegalArgumentException("not ours");
        };
    }
}
