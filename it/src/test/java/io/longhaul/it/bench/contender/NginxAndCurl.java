package io.longhaul.it.bench.contender;

import io.longhaul.it.testbed.Child;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/** A web server beside the source, and a curl at each receiver, all at once. */
public final class NginxAndCurl implements Contender {
    private final Function<Stage, Ground> grounds;
    private Stage stage;
    private Ground ground;
    private int port;
    private int count;
    private Path last;

    private NginxAndCurl(Function<Stage, Ground> grounds) {
        this.grounds = grounds;
    }

    public static NginxAndCurl onLoopback() {
        return new NginxAndCurl(stage -> Ground.loopback());
    }

    public static NginxAndCurl atSites() {
        return new NginxAndCurl(Sites::up);
    }

    @Override
    public List<String> programs() {
        return List.of("nginx", "curl");
    }

    @Override
    public void start(Stage where, int receivers) {
        stage = where;
        ground = grounds.apply(where);
        count = receivers;
        port = where.testbed().freePort();
        String home = where.testbed().directory().toString();
        Path settings = stage.write(
                "nginx.conf",
                String.join(
                        "\n",
                        System.getProperty("user.name").equals("root") ? "user root;" : "",
                        "daemon off; pid " + home + "/nginx.pid; error_log stderr;",
                        "events {}",
                        "http {",
                        "  access_log off; sendfile on; tcp_nopush on;",
                        "  client_body_temp_path " + home + "/body; proxy_temp_path " + home + "/proxy;",
                        "  fastcgi_temp_path " + home + "/fastcgi; uwsgi_temp_path " + home + "/uwsgi;",
                        "  scgi_temp_path " + home + "/scgi;",
                        "  server { listen " + ground.address(Ground.SENDER) + ":" + port + "; root "
                                + stage.publicDirectory("served") + "; }",
                        "}",
                        ""));
        ground.start(stage, Ground.SENDER, "nginx", List.of("nginx", "-c", settings.toString()));
        ground.awaitPort(stage, Ground.SENDER, port);
    }

    @Override
    public double run(Path source) {
        last = source;
        String name = source.getFileName().toString();
        stage.link(source, stage.publicDirectory("served").resolve(name));
        String url = "http://" + ground.address(Ground.SENDER) + ":" + port + "/" + name;
        List<String> lines = IntStream.range(0, count)
                .mapToObj(i -> Parallel.line(ground.command(
                                i, List.of("curl", "-sS", "-o", arrived(i).toString(), url)))
                        + " && sync " + arrived(i) + " " + directory(i))
                .toList();
        Child all = stage.start("curls", Parallel.of(lines));
        stage.finish(all);
        return Stage.seconds(all.startedNanos(), System.nanoTime());
    }

    private Path directory(int receiver) {
        return stage.testbed().directory("receiver" + receiver);
    }

    @Override
    public Path arrived(int receiver) {
        return directory(receiver).resolve(last.getFileName());
    }
}
