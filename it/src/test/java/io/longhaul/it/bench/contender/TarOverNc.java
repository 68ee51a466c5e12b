package io.longhaul.it.bench.contender;

import java.nio.file.Path;
import java.util.List;

/** tar into tar through nc, in clear; it ends with the receiving tar. */
public final class TarOverNc extends Command {
    private int port;
    private Path into;

    @Override
    public List<String> programs() {
        return List.of("tar", "nc", "ss");
    }

    @Override
    void serve(Stage where, Path directory) {
        into = directory;
        port = where.testbed().freePort();
    }

    @Override
    List<String> client(Path source, boolean tree) {
        // the receiver takes one connection, so that it cannot be asked whether it listens
        String line = "nc -l 127.0.0.1 " + port + " </dev/null | tar -C '" + into + "' -xf - & "
                + "until ss -ltn | grep -q ':" + port + " '; do :; done; "
                + "tar -C '" + source.getParent() + "' -cf - '" + source.getFileName() + "' | nc -N 127.0.0.1 " + port
                + " && wait $!";
        return List.of("bash", "-o", "pipefail", "-c", line);
    }
}
