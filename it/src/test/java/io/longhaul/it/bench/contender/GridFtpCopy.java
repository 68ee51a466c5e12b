package io.longhaul.it.bench.contender;

import io.longhaul.it.testbed.Child;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** globus-url-copy to or from a server. */
public final class GridFtpCopy implements Contender {
    private final GridFtpServer server;
    private final boolean upload;
    private final List<String> options;
    private Stage stage;
    private String url = "";
    private Path target;
    private Child client;
    private double seconds;

    public GridFtpCopy(GridFtpServer server, boolean upload, List<String> options) {
        this.server = server;
        this.upload = upload;
        this.options = options;
    }

    @Override
    public List<String> programs() {
        List<String> all = new ArrayList<>(List.of("globus-url-copy"));
        all.addAll(server.programs());
        return all;
    }

    @Override
    public void start(Stage where, int receivers) {
        stage = where;
        url = server.serve(where, where.publicDirectory("served"));
    }

    @Override
    public double run(Path source) {
        String name = source.getFileName().toString();
        Path served = stage.publicDirectory("served").resolve(name);
        target = upload ? served : stage.testbed().directory("fetched").resolve(name);
        if (!upload) {
            provide(source, served);
        }
        List<String> command = new ArrayList<>(List.of("globus-url-copy"));
        command.addAll(options);
        command.addAll(upload ? List.of("file://" + source, url + name) : List.of(url + name, "file://" + target));
        client = server.startClient(stage, "client", command);
        stage.finish(client);
        stage.sync(target, target.getParent());
        seconds = Stage.seconds(client.startedNanos(), System.nanoTime());
        return seconds;
    }

    /**
     * Returns how many seconds the phases took of a client that was told to print its dialogue ({@code -dbg}): until it was logged
     * in, until the server began, until the server had all of it, and until the end.
     */
    public List<Double> phases() {
        List<Double> ends = new ArrayList<>();
        for (String reply : List.of("230 ", "150 ", "226 ")) {
            ends.add(client.errors().stream()
                    .filter(line -> line.text().startsWith(reply))
                    .findFirst()
                    .map(line -> Stage.seconds(client.startedNanos(), line.atNanos()))
                    .orElseThrow(() -> new AssertionError("no reply " + reply + "in\n" + client.story())));
        }
        ends.add(seconds);
        for (int i = ends.size() - 1; i > 0; i--) {
            ends.set(i, ends.get(i) - ends.get(i - 1));
        }
        return ends;
    }

    /** A server confines what it serves to its directory: a link to elsewhere would not do. */
    private static void provide(Path source, Path served) {
        try {
            Files.createLink(served, source);
        } catch (IOException e) {
            throw new AssertionError(served + ": cannot be linked", e);
        }
    }

    @Override
    public Path arrived(int receiver) {
        return target;
    }
}
