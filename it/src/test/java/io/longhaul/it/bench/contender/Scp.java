package io.longhaul.it.bench.contender;

import java.nio.file.Path;
import java.util.List;

/** scp to a server of this user's own. */
public final class Scp extends Command {
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
        List<String> command = ssh.client("scp");
        if (tree) {
            command.add("-r");
        }
        command.add(source.toString());
        command.add(Ssh.address() + ":" + into);
        return command;
    }
}
