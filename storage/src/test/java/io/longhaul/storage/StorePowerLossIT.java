package io.longhaul.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Cuts the power before operations all along the life of a store, then looks whether everything is there whose future
 * had completed, and whether every body that a row names is whole.
 */
class StorePowerLossIT {
    private static final StoreConfig CONFIG = new StoreConfig(2048, 16 * 1024, Long.MAX_VALUE, 0);
    private static final int STEPS = 12;

    @TempDir
    Path temporary;

    @Test
    void shouldKeepAllThatWasPromisedWhenNothingUnforcedSurvives() throws IOException {
        long operations = operationsOfAWholeLife();
        for (long cut = 0; cut <= operations; cut += cut < 60 ? 1 : 5) {
            lifeUpTo(cut, null, cut);
        }
    }

    @Test
    void shouldKeepAllThatWasPromisedWhenChanceDecidesWhatSurvives() throws IOException {
        long operations = operationsOfAWholeLife();
        for (long cut = 3; cut <= operations; cut += 7) {
            lifeUpTo(cut, new Random(cut), cut);
        }
    }

    private long operationsOfAWholeLife() throws IOException {
        Life life = new Life("whole", Long.MAX_VALUE);
        life.run(1);
        assertThat(life.failure).isEmpty();
        life.disk.powerLoss();
        life.verify("after a whole life");
        return life.disk.operations();
    }

    private void lifeUpTo(long cut, RandomGenerator chance, long seed) throws IOException {
        // given
        Life life = new Life("cut" + cut, cut);

        // when
        life.run(seed);
        if (chance == null) {
            life.disk.powerLoss();
        } else {
            life.disk.powerLoss(chance);
        }

        // then
        life.verify("cut before operation " + cut);
    }

    private final class Life {
        private final Path root;
        private final ForgetfulDisk disk;
        private final Map<Long, byte[]> bodies = new HashMap<>();
        private final Set<Long> promised = new HashSet<>();
        private final Set<Long> maybeSafe = new HashSet<>();
        private final Set<Long> promisedSafe = new HashSet<>();
        private int promisedSetting = -1;
        private boolean opened;
        private Optional<StorageException> failure = Optional.empty();

        Life(String name, long cut) throws IOException {
            root = Files.createDirectories(temporary.resolve(name)).toRealPath();
            disk = new ForgetfulDisk(root, temporary.resolve("scratch"));
            disk.failAfter(cut);
        }

        void run(long seed) {
            Store store = null;
            try {
                store = Store.open(root.resolve("data"), CONFIG, disk);
                opened = true;
                work(store, new Random(seed));
            } catch (StorageException e) {
                failure = Optional.of(e);
            } finally {
                close(store);
            }
        }

        private void close(Store store) {
            if (store != null) {
                try {
                    store.close();
                } catch (StorageException e) {
                    failure = Optional.of(e);
                }
            }
        }

        private void work(Store store, Random random) {
            long index = 0;
            for (int step = 0; step < STEPS; step++) {
                List<PieceRow> rows = new ArrayList<>();
                for (int i = 0; i < 2; i++, index++) {
                    byte[] body = new byte[1 + random.nextInt(2048)];
                    random.nextBytes(body);
                    bodies.put(index, body);
                    rows.add(Samples.spooled(index, body, store.spool().write(ByteBuffer.wrap(body))));
                }
                store.spool().force();
                CompletableFuture<Void> done = store.ledger()
                        .commit(List.of(
                                new LedgerChange.PutTransfer(Samples.outgoing(1, "t")),
                                new LedgerChange.PutPieces(1, rows),
                                new LedgerChange.PutSetting("step", Integer.toString(step))));
                Failures.join(done);
                rows.forEach(row -> promised.add(row.index()));
                promisedSetting = step;
                // older pieces become safe, sometimes durably so; their slots are written anew by later steps
                List<Long> safe = List.of(index - 2);
                maybeSafe.addAll(safe);
                if (step % 3 == 0) {
                    Failures.join(store.ledger().commit(List.of(new LedgerChange.MarkSafe(1, safe))));
                    promisedSafe.addAll(safe);
                } else {
                    Failures.join(store.ledger().commitLater(List.of(new LedgerChange.MarkSafe(1, safe))));
                }
            }
        }

        void verify(String when) {
            ForgetfulDisk again = disk.restart();
            assertThat(Store.exists(root.resolve("data")) || !opened).as(when).isTrue();
            try (Store store = Store.open(root.resolve("data"), CONFIG, again)) {
                assertThat(store.findings()).as(when).isEmpty();
                for (long index : promised) {
                    verify(when, store, index);
                }
                if (promisedSetting >= 0) {
                    assertThat(store.ledger().transfer(1)).as(when).isPresent();
                    assertThat(Integer.parseInt(store.ledger().setting("step").orElseThrow()))
                            .as(when)
                            .isGreaterThanOrEqualTo(promisedSetting);
                }
                assertThat(store.verify()).as(when).isEmpty();
            }
        }

        private void verify(String when, Store store, long index) {
            PieceRow piece = store.ledger()
                    .piece(1, index)
                    .orElseThrow(() -> new AssertionError(when + ": piece " + index + " is gone"));
            if (piece.safe()) {
                assertThat(maybeSafe).as(when).contains(index);
            } else {
                assertThat(promisedSafe).as(when).doesNotContain(index);
                ByteBuffer body = ByteBuffer.allocate(piece.length());
                store.spool().read(piece.spoolPosition(), body);
                assertThat(body.array()).as(when + ": body of piece " + index).isEqualTo(bodies.get(index));
            }
        }
    }
}
