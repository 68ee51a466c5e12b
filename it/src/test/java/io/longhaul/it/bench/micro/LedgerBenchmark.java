package io.longhaul.it.bench.micro;

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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Commits of the ledger until they are on the disk of the working directory. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Thread)
public class LedgerBenchmark {
    private static final int MIB = 1024 * 1024;

    private Path directory;
    private Store store;
    private long key;
    private long index;

    @Setup(Level.Trial)
    public void open() throws IOException {
        directory = Files.createTempDirectory(Path.of("").toAbsolutePath(), "ledger-");
        store = Store.open(directory, StoreConfig.defaults(), Disk.real());
        key = store.ledger().newKey();
        TransferRow row = new TransferRow(
                key,
                Direction.INCOMING,
                "0123456789abcdef0123456789abcdef",
                "bench",
                "receiver",
                "name",
                TransferState.RECEIVING,
                1,
                1,
                "{}",
                "",
                "/place/name",
                "{}");
        store.ledger().commit(List.of(new LedgerChange.PutTransfer(row))).join();
    }

    @TearDown(Level.Trial)
    public void close() {
        store.close();
        Trees.delete(directory);
    }

    private CompletableFuture<Void> commit(int pieces) {
        Ledger ledger = store.ledger();
        List<PieceRow> rows = new ArrayList<>();
        for (int i = 0; i < pieces; i++) {
            rows.add(new PieceRow(index, 1, 0, index * MIB, MIB, (int) index, true, -1));
            index++;
        }
        return ledger.commit(List.of(new LedgerChange.PutPieces(key, rows)));
    }

    @Benchmark
    public void commitOfOnePiece() {
        commit(1).join();
    }

    @Benchmark
    public void commitOfSixtyFourPieces() {
        commit(64).join();
    }

    @Benchmark
    public void groupOfSixtyFourCommitsOfOnePiece() {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            all.add(commit(1));
        }
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
    }
}
