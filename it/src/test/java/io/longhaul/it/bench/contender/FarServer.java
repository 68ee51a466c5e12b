package io.longhaul.it.bench.contender;

import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Trees;
import io.longhaul.it.testbed.Wan;
import io.longhaul.it.testbed.Wan.Link;
import io.longhaul.it.testbed.WanSites;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A server of Globus at the far end of an emulated network, for clients at the near one: reached by themselves, or through a front
 * and a broker beside them and a broker and a back beside the server.
 */
public final class FarServer implements GridFtpServer {
    private static final String NEAR = "a";
    private static final String FAR = "b";
    private static final String ENDPOINT = "site";

    private final Link link;
    private final boolean bridged;
    private final int seed;
    private Stage stage;
    private Wan wan;

    /** Takes the seed of what is lost. */
    public FarServer(Link link, boolean bridged, int seed) {
        this.link = link;
        this.bridged = bridged;
        this.seed = seed;
    }

    @Override
    public List<String> programs() {
        return List.of("globus-gridftp-server");
    }

    @Override
    public String serve(Stage where, Path directory) {
        stage = where;
        wan = Wan.up(Path.of("wan", "wan").toAbsolutePath(), "bench", link, seed);
        where.testbed().atClose(wan::close);
        where.meter().countSent(() -> wan.carriedBytes(FAR));
        int port = where.testbed().freePort();
        Globus.serverAt(where, ground(FAR), 0, port);
        String server = "ftp://" + Wan.address(FAR) + ":" + port;
        return bridged ? bridge(where, server) + directory + "/" : server + directory + "/";
    }

    private String bridge(Stage where, String server) {
        WanSites sites = new WanSites(where.testbed(), wan);
        where.startCounted(sites.addBroker(FAR).withMachine("-Xmx1g")).awaitReady();
        where.startCounted(sites.addBroker(NEAR, FAR).withMachine("-Xmx1g")).awaitReady();
        where.startCounted(sites.bridge(FAR, "back", "--endpoint", ENDPOINT, "--server", server))
                .awaitReady();
        String listen = Wan.address(NEAR) + ":" + where.testbed().freePort();
        where.startCounted(
                        sites.bridge(NEAR, "front", "--endpoint", ENDPOINT, "--listen", listen, "--auth", "anonymous"))
                .awaitReady();
        return "ftp://" + listen;
    }

    private Ground ground(String site) {
        return new Ground() {
            @Override
            public String address(int at) {
                return Wan.address(site);
            }

            @Override
            public List<String> command(int at, List<String> inner) {
                List<String> outer = new ArrayList<>(List.of("env"));
                wan.environment().forEach((name, value) -> outer.add(name + '=' + value));
                outer.addAll(wan.resolvingAt(stage.testbed(), site, inner));
                return outer;
            }
        };
    }

    /** Measures logins and commands at the near end. */
    public static FtpLatency latency(
            Path directory, Path programs, Link link, boolean bridged, FtpLatency.Counts counts) throws IOException {
        try (Stage stage = Stage.open(directory, programs)) {
            FarServer server = new FarServer(link, bridged, 1);
            String url = server.serve(stage, stage.publicDirectory("served"));
            Files.writeString(stage.testbed().directory("served").resolve("file"), "something");
            String path = url.replaceFirst("ftp://[^/]*", "") + "file";
            List<String> command = List.of(
                    "java",
                    "-cp",
                    System.getProperty("java.class.path"),
                    FtpLatency.class.getName(),
                    url,
                    path,
                    Integer.toString(counts.logins()),
                    Integer.toString(counts.uncounted()),
                    Integer.toString(counts.commands()));
            Child client = stage.finish(server.startClient(stage, "client", command));
            return new FtpLatency(numbers(client, "login "), numbers(client, "command "));
        } finally {
            Trees.delete(directory);
        }
    }

    private static List<Double> numbers(Child client, String what) {
        return client.output().stream()
                .filter(line -> line.text().startsWith(what))
                .map(line -> Double.valueOf(line.text().substring(what.length())))
                .toList();
    }

    @Override
    public Child startClient(Stage where, String label, List<String> command) {
        return ground(NEAR).start(where, 0, label, command);
    }
}
