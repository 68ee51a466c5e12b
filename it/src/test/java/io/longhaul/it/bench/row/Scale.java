package io.longhaul.it.bench.row;

import io.longhaul.it.bench.contender.Stage;
import io.longhaul.it.bench.measure.Bars;
import io.longhaul.it.bench.measure.Figures;
import io.longhaul.it.bench.measure.Usage;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Trees;
import io.longhaul.storage.Direction;
import io.longhaul.storage.Disk;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.PieceRow;
import io.longhaul.storage.Store;
import io.longhaul.storage.StoreConfig;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;

/** A ledger of a million pieces, and what a broker and a subscriber cost that have nothing to do. */
final class Scale implements Row {
    private static final int PIECES = 1_000_000;
    private static final int TRANSFERS = 100;
    private static final int COMMIT = 64;
    private static final int QUERIES = 1000;
    private static final int IDLE_SECONDS = 40;

    private final Map<String, Figures> figures = new LinkedHashMap<>();

    @Override
    public String name() {
        return "scale";
    }

    @Override
    public void measure(Setting setting) {
        int pieces = setting.size().of(PIECES);
        for (int round = 1; round <= setting.rounds(); round++) {
            ledger(setting.round(), pieces);
            idle(setting);
            setting.publish(name(), table(pieces), picture());
        }
    }

    private void ledger(Path directory, int pieces) {
        Trees.delete(directory);
        List<Long> keys = new ArrayList<>();
        long started = System.nanoTime();
        try (Store store = Store.open(directory, StoreConfig.defaults(), Disk.real())) {
            CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
            for (int transfer = 0; transfer < TRANSFERS; transfer++) {
                long key = store.ledger().newKey();
                keys.add(key);
                last = fill(store.ledger(), key, transfer, pieces / TRANSFERS);
            }
            last.join();
            note("pieces recorded, 64 in a commit, rows/s", pieces / seconds(started));
        }
        note("ledger on disk, MiB", Trees.allocatedBytes(directory) / (double) TestFile.MIB);
        started = System.nanoTime();
        try (Store store = Store.open(directory, StoreConfig.defaults(), Disk.real())) {
            note("open, ms", seconds(started) * 1e3);
            started = System.nanoTime();
            int found = store.ledger().transfers(Direction.INCOMING).size();
            note("list all transfers, ms", seconds(started) * 1e3);
            if (found != TRANSFERS) {
                throw new AssertionError(found + " transfers, expected " + TRANSFERS);
            }
            started = System.nanoTime();
            for (long key : keys) {
                expect(store.ledger().safePieces(key).cardinality(), pieces / TRANSFERS);
            }
            note("what is missing of all transfers (resume), ms", seconds(started) * 1e3);
            started = System.nanoTime();
            for (int i = 0; i < QUERIES; i++) {
                store.ledger().piece(keys.get(i % TRANSFERS), i % (pieces / TRANSFERS));
            }
            note("one piece, ms", seconds(started) * 1e3 / QUERIES);
        }
        Trees.delete(directory);
    }

    private static CompletableFuture<Void> fill(Ledger ledger, long key, int number, int pieces) {
        TransferRow row = new TransferRow(
                key,
                Direction.INCOMING,
                String.format("%032x", number),
                "bench",
                "receiver",
                "name-" + number,
                TransferState.RECEIVING,
                number + 1,
                number,
                "{}",
                "",
                "/place/name-" + number,
                "{}");
        CompletableFuture<Void> last = ledger.commit(List.of(new LedgerChange.PutTransfer(row)));
        for (int first = 0; first < pieces; first += COMMIT) {
            List<PieceRow> rows = new ArrayList<>();
            for (int i = first; i < Math.min(pieces, first + COMMIT); i++) {
                rows.add(new PieceRow(i, 1, 0, i * TestFile.MIB, (int) TestFile.MIB, i, true, -1));
            }
            last = ledger.commit(List.of(new LedgerChange.PutPieces(key, rows)));
            if (first % (COMMIT * COMMIT) == 0) {
                last.join(); // not more in flight than a subscriber has
            }
        }
        return last;
    }

    private static void expect(int found, int expected) {
        if (found != expected) {
            throw new AssertionError(found + " pieces, expected " + expected);
        }
    }

    private void idle(Setting setting) {
        Duration idle = Duration.ofSeconds(setting.size().of(IDLE_SECONDS) + 1);
        for (String who : List.of("broker", "broker and subscriber")) {
            try (Stage stage = Stage.open(setting.round(), setting.programs())) {
                Network network = Network.of(stage.testbed());
                stage.startCounted(network.broker()).awaitReady();
                if (who.contains("subscriber")) {
                    stage.startCounted(network.subscriber("subscriber", "idle")).awaitReady();
                }
                passes(idle.dividedBy(4)); // what a start leaves to do
                stage.meter().begin();
                passes(idle);
                Usage usage = stage.meter().end();
                note("idle " + who + ", CPU ms per second", usage.cpuSeconds() * 1e3 / idle.toSeconds());
                usage.peakMemory()
                        .forEach((name, bytes) ->
                                note("idle " + who + ": RSS of " + name + ", MiB", bytes / (double) TestFile.MIB));
            } finally {
                Trees.delete(setting.round());
            }
        }
    }

    private static void passes(Duration time) {
        Awaitility.await().pollDelay(time).atMost(time.plusSeconds(60)).until(() -> true);
    }

    private void note(String what, double value) {
        Setting.say("%s: %.3f", what, value);
        figures.computeIfAbsent(what, name -> new Figures()).add(value);
    }

    private static double seconds(long sinceNanos) {
        return (System.nanoTime() - sinceNanos) / 1e9;
    }

    private String table(int pieces) {
        StringBuilder text =
                new StringBuilder("| " + pieces + " pieces in " + TRANSFERS + " transfers | |\n|---|---|\n");
        figures.forEach((what, values) -> text.append("| ")
                .append(what)
                .append(" | ")
                .append(values.shown(values.median() < 10 ? 3 : 0))
                .append(" |\n"));
        return text.toString();
    }

    private String picture() {
        Bars bars = new Bars();
        figures.forEach((what, values) -> bars.group(what).bar("", values, true));
        return bars.svg();
    }
}
