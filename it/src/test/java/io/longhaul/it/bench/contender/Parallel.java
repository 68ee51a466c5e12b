package io.longhaul.it.bench.contender;

import java.util.List;
import java.util.stream.Collectors;

/** A shell that runs several lines at once, and ends badly when one of them did. */
final class Parallel {
    private Parallel() {}

    static List<String> of(List<String> lines) {
        String all = lines.stream()
                .map(line -> "{ " + line + "; } & pids=\"$pids $!\"; ")
                .collect(Collectors.joining("", "pids=; ", "for p in $pids; do wait $p || exit 1; done"));
        return List.of("bash", "-c", all);
    }
}
