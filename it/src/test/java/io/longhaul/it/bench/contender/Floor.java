package io.longhaul.it.bench.contender;

import io.longhaul.it.testbed.Child;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A minimal producer, broker and consumer on Artemis, to know what of Longhaul's cost is Artemis's own. */
public final class Floor implements Contender {
    private static final String PACKAGE = "io.longhaul.it.bench.floor.";
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /** An archive of its classes, for starts as fast as Longhaul's; made by it/bench/run. */
    private static final Path ARCHIVE = Path.of(System.getProperty("longhaul.bench.archive", "none"));

    private Stage stage;
    private int port;
    private Child consumer;
    private int sent;
    private Path last;

    @Override
    public void start(Stage where, int receivers) {
        if (receivers != 1) {
            throw new IllegalArgumentException("one receiver, not " + receivers);
        }
        stage = where;
        port = where.testbed().freePort();
        java("broker", "-Xmx2g", "FloorBroker", where.testbed().directory("broker").toString())
                .awaitReady();
        consumer = java("consumer", "-Xmx256m", "FloorConsumer", into().toString());
        consumer.awaitReady();
    }

    private Path into() {
        return stage.testbed().directory("into");
    }

    /** Starts a program with the options that Longhaul's script gives to its own. */
    private Child java(String label, String heap, String program, String argument) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                heap,
                "-XX:+UseParallelGC",
                "-XX:Tier4InvocationThreshold=100000",
                "-XX:Tier4MinInvocationThreshold=20000",
                "-XX:Tier4CompileThreshold=200000"));
        if (Files.isReadable(ARCHIVE)) {
            command.addAll(List.of("-XX:SharedArchiveFile=" + ARCHIVE, "-Xlog:cds=off"));
        }
        command.addAll(List.of(
                "-cp", System.getProperty("java.class.path"), PACKAGE + program, Integer.toString(port), argument));
        return stage.start(label, command);
    }

    @Override
    public double run(Path source) {
        last = source;
        sent++;
        Child producer = java("producer", "-Xmx256m", "FloorProducer", source.toString());
        long end = consumer.awaitEvents("delivered", sent, PATIENCE)
                .get(sent - 1)
                .atNanos();
        stage.finish(producer);
        return Stage.seconds(producer.startedNanos(), end);
    }

    @Override
    public Path arrived(int receiver) {
        return into().resolve(last.getFileName());
    }
}
