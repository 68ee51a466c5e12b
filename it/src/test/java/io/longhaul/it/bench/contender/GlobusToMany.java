package io.longhaul.it.bench.contender;

import io.longhaul.it.testbed.Child;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** globus-url-copy to a server for each receiver: one after the other, or with the servers' multicast, as a tree. */
public final class GlobusToMany implements Contender {
    private final boolean multicast;
    private final Function<Stage, Ground> grounds;
    private final List<Integer> ports = new ArrayList<>();
    private Stage stage;
    private Ground ground;
    private Path last;

    private GlobusToMany(boolean multicast, Function<Stage, Ground> grounds) {
        this.multicast = multicast;
        this.grounds = grounds;
    }

    public static GlobusToMany onLoopback(boolean multicast) {
        return new GlobusToMany(multicast, stage -> Ground.loopback());
    }

    public static GlobusToMany atSites(boolean multicast) {
        return new GlobusToMany(multicast, Sites::up);
    }

    @Override
    public List<String> programs() {
        return List.of("globus-url-copy", "globus-gridftp-server");
    }

    @Override
    public void start(Stage where, int receivers) {
        stage = where;
        ground = grounds.apply(where);
        for (int i = 0; i < receivers; i++) {
            stage.publicDirectory("receiver" + i);
            int port = where.testbed().freePort();
            Globus.serverAt(where, ground, i, port, "-fs-whitelist", "file,gridftp_multicast");
            ports.add(port);
        }
    }

    @Override
    public double run(Path source) {
        last = source;
        List<String> ends = IntStream.range(0, ports.size())
                .mapToObj(i -> "ftp://" + ground.address(i) + ":" + ports.get(i) + arrived(i))
                .toList();
        List<String> command;
        if (multicast) {
            Path list = stage.write("receivers", String.join("\n", ends) + "\n");
            command = List.of("globus-url-copy", "-MC", list.toString(), "file://" + source);
        } else {
            String pairs = ends.stream()
                    .map(end -> "file://" + source + " " + end + "\n")
                    .collect(Collectors.joining());
            command = List.of(
                    "globus-url-copy", "-f", stage.write("receivers", pairs).toString());
        }
        Child client = ground.start(stage, Ground.SENDER, "client", command);
        stage.finish(client);
        stage.sync(IntStream.range(0, ports.size())
                .boxed()
                .flatMap(i -> List.of(arrived(i), arrived(i).getParent()).stream())
                .toArray(Path[]::new));
        return Stage.seconds(client.startedNanos(), System.nanoTime());
    }

    @Override
    public Path arrived(int receiver) {
        return stage.testbed().directory("receiver" + receiver).resolve(last.getFileName());
    }
}
