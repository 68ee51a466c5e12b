package io.longhaul.it.bench.contender;

import io.longhaul.it.testbed.Child;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * uftp by multicast, sender and receivers in network namespaces of their own around a bridge, for each must have an address;
 * needs root.
 */
public final class Uftp implements Contender {
    private static final String SENDER = "lhbench";
    private static final int FIRST_ID = 0x0A000001;
    private static final String BUFFER = "4194304";

    /** What two cores copy without losing most of it, Mbit/s: to all receivers together, and to one. */
    private static final int ALL_MEGABITS = 3200;

    private static final int MOST_MEGABITS = 800;

    private Stage stage;
    private int count;
    private Path last;

    @Override
    public List<String> programs() {
        return List.of("uftp", "uftpd", "/sbin/ip");
    }

    @Override
    public void start(Stage where, int receivers) {
        stage = where;
        count = receivers;
        add(SENDER);
        run(SENDER, "ip link add bridge type bridge mcast_snooping 0");
        run(SENDER, "ip addr add 10.211.0.254/24 dev bridge");
        run(SENDER, "ip link set bridge up");
        run(SENDER, "ip route add 224.0.0.0/4 dev bridge");
        for (int i = 0; i < receivers; i++) {
            String site = SENDER + i;
            add(site);
            run(SENDER, "ip link add to" + i + " type veth peer name eth0 netns " + site);
            run(SENDER, "ip link set to" + i + " master bridge up");
            run(site, "ip addr add 10.211.0." + (i + 1) + "/24 dev eth0");
            run(site, "ip link set eth0 up");
            run(site, "ip route add 224.0.0.0/4 dev eth0");
            List<String> receiver = within(site, "uftpd -d -t -I eth0 -B " + BUFFER + " -U " + id(i));
            receiver.addAll(List.of("-D", directory(i).toString()));
            stage.start("uftpd", receiver).awaitError(line -> line.contains("UFTP"), "first words");
        }
    }

    private void add(String site) {
        quietly("ip netns del " + site); // what a run left that was broken off
        stage.run("ip", List.of("ip", "netns", "add", site));
        stage.testbed().atClose(() -> quietly("ip netns del " + site));
    }

    private void run(String site, String command) {
        stage.run("ip", within(site, command));
    }

    private static List<String> within(String site, String command) {
        return new ArrayList<>(List.of(("ip netns exec " + site + " " + command).split(" ")));
    }

    private static void quietly(String command) {
        try {
            new ProcessBuilder(command.split(" "))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            System.err.println(command + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String id(int receiver) {
        return String.format("0x%08X", FIRST_ID + receiver);
    }

    private Path directory(int receiver) {
        return stage.testbed().directory("receiver" + receiver);
    }

    @Override
    public double run(Path source) {
        last = source;
        String everyone = IntStream.range(0, count).mapToObj(Uftp::id).collect(Collectors.joining(","));
        int kilobits = 1000 * Math.min(MOST_MEGABITS, ALL_MEGABITS / count);
        List<String> command = within(SENDER, "uftp -I bridge -H " + everyone + " -R " + kilobits + " -B " + BUFFER);
        command.add(source.toString());
        Child sender = stage.start("uftp", command);
        stage.finish(sender);
        stage.sync(IntStream.range(0, count)
                .boxed()
                .flatMap(i -> Stream.of(arrived(i), directory(i)))
                .toArray(Path[]::new));
        return Stage.seconds(sender.startedNanos(), System.nanoTime());
    }

    @Override
    public Path arrived(int receiver) {
        return directory(receiver).resolve(last.getFileName());
    }
}
