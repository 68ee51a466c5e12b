package io.longhaul.it.bench.contender;

import io.longhaul.it.testbed.Child;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** uftp by multicast, in a network namespace of its own whose loopback interface takes multicast; needs root. */
public final class Uftp implements Contender {
    private static final String NAMESPACE = "lhbench";
    private static final int FIRST_ID = 0x0A000001;

    /** Kbit/s: what one sender and one receiver carry on a machine of two cores without many repeats. */
    private static final String RATE = "1500000";

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
        ip("netns", "add", NAMESPACE);
        stage.testbed().atClose(() -> Uftp.quietly("ip", "netns", "del", NAMESPACE));
        inside("ip", "link", "set", "lo", "up", "multicast", "on");
        inside("ip", "route", "add", "224.0.0.0/4", "dev", "lo");
        for (int i = 0; i < receivers; i++) {
            String directory = stage.testbed().directory("receiver" + i).toString();
            List<String> command = within(List.of(
                    "uftpd", "-d", "-t", "-I", "lo", "-U", id(i), "-D", directory, "-B", "8388608", "-L",
                    stage.testbed().file("uftpd" + i + ".log").toString()));
            stage.start("uftpd", command);
        }
    }

    private static String id(int receiver) {
        return String.format("0x%08X", FIRST_ID + receiver);
    }

    private void ip(String... words) {
        stage.run("ip", Stream.concat(Stream.of("ip"), Stream.of(words)).toList());
    }

    private void inside(String... words) {
        stage.run("ip", within(List.of(words)));
    }

    private static List<String> within(List<String> command) {
        List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", NAMESPACE));
        all.addAll(command);
        return all;
    }

    private static void quietly(String... command) {
        try {
            new ProcessBuilder(command).inheritIO().start().waitFor();
        } catch (IOException e) {
            System.err.println(String.join(" ", command) + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public double run(Path source) {
        last = source;
        String everyone = IntStream.range(0, count).mapToObj(Uftp::id).collect(Collectors.joining(","));
        Child sender = stage.start(
                "uftp",
                within(List.of("uftp", "-I", "lo", "-H", everyone, "-R", RATE, "-B", "8388608", source.toString())));
        stage.finish(sender);
        stage.sync(IntStream.range(0, count)
                .boxed()
                .flatMap(i -> Stream.of(arrived(i), arrived(i).getParent()))
                .toArray(Path[]::new));
        return Stage.seconds(sender.startedNanos(), System.nanoTime());
    }

    @Override
    public Path arrived(int receiver) {
        return stage.testbed().directory("receiver" + receiver).resolve(last.getFileName());
    }
}
