package io.longhaul.it.bench.contender;

import java.util.List;
import java.util.stream.Collectors;

/** A shell that runs several lines at once, and ends badly when one of them did. */
final class Parallel {
    private Parallel() {}

    /** Returns a command as a line of a shell. */
    static String line(List<String> command) {
        return command.stream()
                .map(word -> "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
    }

    static List<String> of(List<String> lines) {
        String all = lines.stream()
                .map(line -> "{ " + line + "; } & pids=\"$pids $!\"; ")
                .collect(Collectors.joining("", "pids=; ", "for p in $pids; do wait $p || exit 1; done"));
        return List.of("bash", "-c", all);
    }
}
