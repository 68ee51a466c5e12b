package io.longhaul.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills a process in the middle of its commits, again and again on the same store. */
class KillIT {
    private static final StoreConfig CONFIG = new StoreConfig(64 * 1024, 4L * 1024 * 1024, Long.MAX_VALUE, 0);
    private static final int ROUNDS = 5;
    private static final int GROUP = 8;

    @TempDir
    Path dir;

    /** The process that is killed: keeps pieces from the given index on, and prints each once it is promised. */
    static final class Keeper {
        private Keeper() {}

        public static void main(String[] arguments) {
            long index = Long.parseLong(arguments[1]);
            try (Store store = Store.open(Path.of(arguments[0]), CONFIG, Disk.real())) {
                while (true) {
                    List<PieceRow> rows = new ArrayList<>();
                    for (int i = 0; i < GROUP; i++, index++) {
                        byte[] body = body(index);
                        rows.add(Samples.spooled(index, body, store.spool().write(ByteBuffer.wrap(body))));
                    }
                    store.spool().force();
                    store.ledger()
                            .commit(List.of(new LedgerChange.PutPieces(1, rows)))
                            .join();
                    System.out.println(index);
                    // slots become free and are written anew, so that a row that lags would be seen
                    store.ledger().commitLater(List.of(new LedgerChange.MarkSafe(1, List.of(index - 2, index - 5))));
                }
            }
        }
    }

    private static byte[] body(long index) {
        Random random = new Random(index);
        byte[] body = new byte[1 + random.nextInt(64 * 1024)];
        random.nextBytes(body);
        return body;
    }

    @Test
    void shouldKeepAllThatWasPromisedWhenKilledAnywhere() throws Exception {
        long seed = Long.getLong("seed", System.currentTimeMillis());
        System.out.println("KillIT seed " + seed + " (-Dseed=" + seed + " runs it again)");
        Random random = new Random(seed);
        long promised = 0;
        for (int round = 0; round < ROUNDS; round++) {
            // given
            Process child = JavaChild.start(List.of(), Keeper.class, dir.toString(), Long.toString(promised));

            // when
            promised = promisedUntilKilled(child, 1 + random.nextInt(80), promised);

            // then
            verify("seed " + seed + ", round " + round, promised);
        }
    }

    private static long promisedUntilKilled(Process child, int lines, long before) throws Exception {
        long last = before;
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
            String line = output.readLine();
            for (int count = 0; line != null; count++) {
                last = Long.parseLong(line);
                if (count == lines) {
                    child.destroyForcibly();
                }
                line = output.readLine();
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("closed");
        } finally {
            child.destroyForcibly().waitFor();
        }
        assertThat(last).isGreaterThan(before);
        return last;
    }

    private void verify(String when, long promised) {
        long start = System.nanoTime();
        try (Store store = Store.open(dir, CONFIG, Disk.real())) {
            System.out.println(when + ": opened in " + (System.nanoTime() - start) / 1_000_000 + " ms with " + promised
                    + " pieces promised");
            assertThat(store.findings()).as(when).isEmpty();
            for (long index = 0; index < promised; index++) {
                long number = index;
                PieceRow piece = store.ledger()
                        .piece(1, index)
                        .orElseThrow(() -> new AssertionError(when + ": piece " + number + " is gone"));
                if (!piece.safe()) {
                    ByteBuffer read = ByteBuffer.allocate(piece.length());
                    store.spool().read(piece.spoolPosition(), read);
                    assertThat(read.array()).as(when + ", piece " + index).isEqualTo(body(index));
                }
            }
        }
    }
}
