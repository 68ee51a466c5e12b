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
        Child client = stage.start("client", command);
        stage.finish(client);
        stage.sync(target, target.getParent());
        return Stage.seconds(client.startedNanos(), System.nanoTime());
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
