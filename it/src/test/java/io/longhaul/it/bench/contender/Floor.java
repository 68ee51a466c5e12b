package io.longhaul.it.bench.contender;

import io.longhaul.it.bench.floor.FloorBroker;
import io.longhaul.it.bench.plane.Depot;
import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.JavaCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Minimal programs on Artemis: a producer, a broker, consumers. */
public final class Floor implements Contender {
    /** An archive of its classes, for starts as fast as Longhaul's; made by it/bench/run. */
    private static final Path ARCHIVE = Path.of(System.getProperty("longhaul.bench.archive", "none"));

    private final String broker;
    private final String producer;
    private final String consumer;
    private Stage stage;
    private int port;
    private List<Child> consumers = List.of();
    private int sent;
    private Path last;

    private Floor(String broker, String producer, String consumer) {
        this.broker = broker;
        this.producer = producer;
        this.consumer = consumer;
    }

    /** Returns those that send all bytes in messages, to know what of Longhaul's cost is Artemis's own. */
    public static Floor ofMessages() {
        String all = FloorBroker.class.getPackageName();
        return new Floor(all + ".FloorBroker", all + ".FloorProducer", all + ".FloorConsumer");
    }

    /** Returns those that send all bytes beside the messages, to know what that would gain. */
    public static Floor ofClaims() {
        String all = Depot.class.getPackageName();
        return new Floor(all + ".Depot", all + ".DepotProducer", all + ".DepotConsumer");
    }

    @Override
    public void start(Stage where, int receivers) {
        stage = where;
        port = where.testbed().freePort();
        java("broker", "-Xmx2g", broker, where.testbed().directory("broker").toString())
                .awaitReady();
        consumers = IntStream.range(0, receivers)
                .mapToObj(number -> consumer(into(number)))
                .toList();
        consumers.forEach(Child::awaitReady);
    }

    /** Adds a receiver that is connected and stopped: what it is owed stays at the broker. */
    public void addStopped() {
        consumer(stage.testbed().directory("stopped")).awaitReady().pause();
    }

    private Child consumer(Path into) {
        return java("consumer", "-Xmx256m", consumer, into.toString());
    }

    private Path into(int receiver) {
        return stage.testbed().directory("receiver" + receiver);
    }

    /** Starts a program with the options that Longhaul's script gives to its own. */
    private Child java(String label, String heap, String program, String argument) {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(JavaCommand.options());
        command.add(heap);
        if (Files.isReadable(ARCHIVE)) {
            command.addAll(List.of("-XX:SharedArchiveFile=" + ARCHIVE, "-Xlog:cds=off"));
        }
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), program, Integer.toString(port), argument));
        return stage.start(label, command);
    }

    @Override
    public double run(Path source) {
        last = source;
        sent++;
        Child sender = java("producer", "-Xmx256m", producer, source.toString());
        stage.finish(sender);
        long end = Stage.lastDelivered(consumers, sent);
        return Stage.seconds(sender.startedNanos(), end);
    }

    @Override
    public Path arrived(int receiver) {
        return into(receiver).resolve(last.getFileName());
    }
}
