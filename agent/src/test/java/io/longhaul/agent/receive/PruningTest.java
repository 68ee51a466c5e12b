package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.Retention;
import io.longhaul.agent.SubscribeRequest;
import io.longhaul.storage.Direction;
import io.longhaul.storage.Disk;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.Store;
import io.longhaul.storage.StoreConfig;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.Seal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PruningTest {
    private static final long NOW_MILLIS = 100_000;
    private static final int BYTES = 10;

    @TempDir
    Path directory;

    private Store store;

    @BeforeEach
    void open() {
        store = Store.open(directory.resolve("data"), StoreConfig.defaults(), Disk.real());
    }

    @AfterEach
    void close() {
        store.close();
    }

    private Path into() {
        return directory.resolve("archive");
    }

    /** Puts a transfer of ten bytes that has been in the archive since then. */
    private void keep(int number, long order, long sinceMillis) throws Exception {
        String id = Shipment.id(number).toString();
        Path file = Files.createDirectories(into().resolve(id)).resolve("f");
        Files.write(file, new byte[BYTES]);
        Seal seal = new Seal(Shipment.id(number), BYTES, "0".repeat(64), 1, 1);
        TransferRow row = new TransferRow(
                number,
                Direction.INCOMING,
                id,
                Shipment.TOPIC,
                "archive",
                "f",
                TransferState.RECEIPTED,
                order,
                sinceMillis,
                "",
                new String(FrameCodec.toJson(seal), StandardCharsets.UTF_8),
                file.toString(),
                IncomingDetail.of(into().toString()).toJson());
        store.ledger().commit(List.of(new LedgerChange.PutTransfer(row))).join();
    }

    private int prune(Retention retention) {
        Clock clock = Clock.fixed(Instant.ofEpochMilli(NOW_MILLIS), ZoneOffset.UTC);
        SubscribeRequest archive =
                SubscribeRequest.of(Shipment.TOPIC, "archive", into()).withArchive(retention);
        return new Pruning(
                        store.ledger(),
                        Disk.real(),
                        new Holdings(store.ledger(), Disk.real()),
                        clock,
                        archive,
                        retention,
                        (transfer, task) -> {
                            task.run();
                            return true;
                        })
                .prune();
    }

    private List<Boolean> areThere(int... numbers) {
        return Arrays.stream(numbers)
                .mapToObj(number ->
                        Files.exists(into().resolve(Shipment.id(number).toString())))
                .toList();
    }

    /** What came from its publisher has the order 0, whenever that was. */
    @Test
    void shouldRemoveWhatHasBeenThereLongestWhateverItsOrder() throws Exception {
        // given
        keep(1, 7, 1_000);
        keep(2, 0, 3_000);
        keep(3, 5, 2_000);

        // when
        int pruned = prune(new Retention(Optional.empty(), OptionalLong.of(2 * BYTES)));

        // then
        assertThat(pruned).isEqualTo(1);
        assertThat(areThere(1, 2, 3)).containsExactly(false, true, true);
    }

    @Test
    void shouldCountWhatIsTooOldBeforeWhatIsTooMuch() throws Exception {
        // given
        keep(1, 2, 1_000);
        keep(2, 1, NOW_MILLIS);
        keep(3, 3, NOW_MILLIS);

        // when
        int pruned = prune(new Retention(Optional.of(Duration.ofSeconds(10)), OptionalLong.of(2 * BYTES)));

        // then
        assertThat(pruned).isEqualTo(1);
        assertThat(areThere(1, 2, 3)).containsExactly(false, true, true);
    }
}
