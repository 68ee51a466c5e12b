package io.longhaul.it.bench.contender;

import java.nio.file.Path;
import java.util.List;

/** rsync to its daemon, which forces every file. */
public final class Rsync extends Command {
    private int port;

    @Override
    public List<String> programs() {
        return List.of("rsync");
    }

    @Override
    boolean syncs() {
        return true;
    }

    @Override
    void serve(Stage where, Path directory) {
        port = where.testbed().freePort();
        String user = System.getProperty("user.name");
        Path settings = where.write(
                "rsyncd.conf",
                String.join(
                        "\n",
                        "pid file = " + where.testbed().file("rsyncd.pid"),
                        "[into]",
                        "path = " + directory,
                        "read only = no",
                        "use chroot = no",
                        user.equals("root") ? "uid = root\ngid = root" : "",
                        ""));
        where.start(
                "rsync-daemon",
                List.of(
                        "rsync",
                        "--daemon",
                        "--no-detach",
                        "--address=127.0.0.1",
                        "--port=" + port,
                        "--config=" + settings));
        where.awaitPort(port);
    }

    @Override
    List<String> client(Path source, boolean tree) {
        return words(
                "rsync", "-a", "--whole-file", "--fsync", source.toString(), "rsync://127.0.0.1:" + port + "/into/");
    }
}
