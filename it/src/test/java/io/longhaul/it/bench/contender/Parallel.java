package io.longhaul.it.bench.contender;

import java.util.List;

/** A shell that does the same for several numbers at once, and ends badly when one of them did. */
final class Parallel {
    private Parallel() {}

    /** Returns its command; {@code each} finds the number from 0 in {@code $i}. */
    static List<String> of(int count, String each) {
        String line = "pids=; for i in $(seq 0 " + (count - 1) + "); do { " + each + "; } & pids=\"$pids $!\"; done; "
                + "for p in $pids; do wait $p || exit 1; done";
        return List.of("bash", "-c", line);
    }
}
