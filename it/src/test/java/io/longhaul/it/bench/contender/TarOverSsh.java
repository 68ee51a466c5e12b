package io.longhaul.it.bench.contender;

import java.nio.file.Path;
import java.util.List;

/** tar into tar through ssh. */
public final class TarOverSsh extends Command {
    private Ssh ssh;
    private Path into;

    @Override
    public List<String> programs() {
        return Ssh.programs();
    }

    @Override
    void serve(Stage where, Path directory) {
        into = directory;
        ssh = Ssh.serve(where);
    }

    @Override
    List<String> client(Path source, boolean tree) {
        String line = "tar -C '" + source.getParent() + "' -cf - '" + source.getFileName() + "' | "
                + String.join(" ", ssh.client("ssh")) + ' ' + Ssh.address() + " tar -C '" + into + "' -xf -";
        return List.of("bash", "-o", "pipefail", "-c", line);
    }
}
