package io.longhaul.it.bench.contender;

import io.longhaul.it.testbed.Child;
import java.nio.file.Path;
import java.util.List;

/** A web server beside the source, and a curl at each receiver, all at once. */
public final class NginxAndCurl implements Contender {
    private Stage stage;
    private int port;
    private int count;
    private Path last;

    @Override
    public List<String> programs() {
        return List.of("nginx", "curl");
    }

    @Override
    public void start(Stage where, int receivers) {
        stage = where;
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
                        "  server { listen 127.0.0.1:" + port + "; root " + stage.publicDirectory("served") + "; }",
                        "}",
                        ""));
        stage.start("nginx", List.of("nginx", "-c", settings.toString()));
        stage.awaitPort(port);
    }

    @Override
    public double run(Path source) {
        last = source;
        String name = source.getFileName().toString();
        stage.link(source, stage.publicDirectory("served").resolve(name));
        for (int i = 0; i < count; i++) {
            directory(i);
        }
        String each = "curl -sS -o receiver$i/" + name + " http://127.0.0.1:" + port + "/" + name
                + " && sync receiver$i/" + name + " receiver$i";
        Child all = stage.start("curls", Parallel.of(count, each));
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
