package io.longhaul.storage.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.storage.Direction;
import io.longhaul.storage.Disk;
import io.longhaul.storage.EntryRow;
import io.longhaul.storage.ForgetfulDisk;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.PieceRow;
import io.longhaul.storage.Samples;
import io.longhaul.storage.StorageException;
import io.longhaul.storage.Store;
import io.longhaul.storage.StoreConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Damages the files of a store at places that a seed chooses; nothing wrong may be believed, whatever is lost is named. */
class DamageIT {
    private static final StoreConfig CONFIG = new StoreConfig(4096, 128 * 1024, Long.MAX_VALUE, 0);
    private static final int PIECES = 1500;
    private static final int SPOOLING = 9; // the row of the transfer whose pieces are in the spool
    private static final int SPOOLED = 20;

    @TempDir
    Path temporary;

    private Path sound;
    private int copies;

    @BeforeEach
    void fillStore() {
        sound = temporary.resolve("sound");
        try (Store store = Store.open(sound, CONFIG, Disk.real())) {
            for (int key = 1; key <= 3; key++) {
                store.ledger()
                        .commit(List.of(new LedgerChange.PutTransfer(Samples.outgoing(key, "t" + key))))
                        .join();
                for (int from = 0; from < PIECES; from += 50) {
                    List<PieceRow> rows = new ArrayList<>();
                    List<EntryRow> entries = new ArrayList<>();
                    for (int i = from; i < from + 50; i++) {
                        rows.add(Samples.durable(i));
                        entries.add(new EntryRow(i, i / 10, ("entry " + i).getBytes(), new byte[32]));
                    }
                    store.ledger()
                            .commit(List.of(
                                    new LedgerChange.PutPieces(key, rows), new LedgerChange.PutEntries(key, entries)))
                            .join();
                }
            }
            store.ledger()
                    .commit(List.of(new LedgerChange.PutTransfer(Samples.outgoing(SPOOLING, "t" + SPOOLING))))
                    .join();
            for (int i = 0; i < SPOOLED; i++) {
                long position = store.spool().write(ByteBuffer.wrap(body(i)));
                store.spool().force();
                store.ledger()
                        .commit(List.of(
                                new LedgerChange.PutPieces(SPOOLING, List.of(Samples.spooled(i, body(i), position)))))
                        .join();
            }
        }
    }

    private static byte[] body(int index) {
        byte[] body = new byte[4000];
        new Random(index).nextBytes(body);
        return body;
    }

    private Path copy() throws IOException {
        Path copy = temporary.resolve("copy" + copies++);
        try (Stream<Path> files = Files.walk(sound)) {
            for (Path file : files.toList()) {
                Path target = copy.resolve(sound.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
        return copy;
    }

    /** Opens a damaged store; returns what it names. Rows that are there must be right; if none are missing, none may be named lost. */
    private List<String> judge(Path store, String what) {
        try (Store opened = Store.open(store, CONFIG, Disk.real())) {
            int found = 0;
            for (int key = 1; key <= 3; key++) {
                int row = key;
                opened.ledger()
                        .transfer(key)
                        .ifPresent(
                                transfer -> assertThat(transfer).as(what).isEqualTo(Samples.outgoing(row, "t" + row)));
                int[] count = {0};
                opened.ledger().forEachPiece(key, piece -> {
                    assertThat(piece).as(what).isEqualTo(Samples.durable(piece.index()));
                    count[0]++;
                });
                found += count[0];
                opened.ledger()
                        .forEachEntry(
                                key,
                                entry -> assertThat(new String(entry.encoded()))
                                        .as(what)
                                        .isEqualTo("entry " + entry.number()));
            }
            if (opened.ledger().transfer(SPOOLING).isPresent()) { // pieces of a lost one are being purged
                judgeSpooled(opened, what);
            }
            if (found < 3 * PIECES) {
                assertThat(opened.findings())
                        .as(what + ": " + (3 * PIECES - found) + " rows are gone")
                        .isNotEmpty();
            }
            assertThat(opened.ledger().transfers(Direction.OUTGOING).size()).isLessThanOrEqualTo(4);
            opened.ledger()
                    .commit(List.of(new LedgerChange.PutSetting("after", "1")))
                    .join();
            return opened.findings();
        }
    }

    private static void judgeSpooled(Store opened, String what) {
        for (int i = 0; i < SPOOLED; i++) {
            int index = i;
            opened.ledger().piece(SPOOLING, i).ifPresent(piece -> {
                ByteBuffer body = ByteBuffer.allocate(piece.length());
                opened.spool().read(piece.spoolPosition(), body);
                boolean same = Arrays.equals(body.array(), body(index));
                assertThat(same || Samples.crc(body.array()) != piece.crc32c())
                        .as(what)
                        .isTrue();
            });
        }
    }

    /** The store may be refused, but then in words, and with its files left for a second look. */
    private List<String> judgeOrRefused(Path store, String what) {
        try {
            return judge(store, what);
        } catch (StorageException e) {
            assertThat(e.code()).as(what).isEqualTo(StorageException.Code.DAMAGED);
            assertThat(e.getMessage()).as(what).contains(store.getFileName().toString(), "ledger.mv.db");
            assertThat(store.resolve("ledger.mv.db")).exists();
            return List.of(e.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldNameFlippedBytes(int seed) throws IOException {
        Random random = new Random(seed);
        int named = 0;
        for (int round = 0; round < 8; round++) {
            // given
            Path store = copy();
            Path ledger = store.resolve("ledger.mv.db");
            byte[] bytes = Files.readAllBytes(ledger);
            int at = random.nextInt(bytes.length);
            bytes[at] ^= (byte) (1 + random.nextInt(255));
            Files.write(ledger, bytes);

            // when
            List<String> findings = judgeOrRefused(store, "seed " + seed + ", byte " + at + " of " + bytes.length);

            // then
            named += findings.isEmpty() ? 0 : 1;
        }
        // a few fall into the unused rest of the header or of a file that H2 has shortened
        assertThat(named).isGreaterThanOrEqualTo(6);
    }

    @Test
    void shouldSalvageRowsWhenTheJournalCannotMend() throws IOException {
        int salvaged = 0;
        for (int round = 0; round < 6; round++) {
            // given
            Random random = new Random(round);
            Path store = copy();
            Path ledger = store.resolve("ledger.mv.db");
            byte[] bytes = Files.readAllBytes(ledger);
            int at = random.nextInt(bytes.length / Block.BYTES) * Block.BYTES;
            Arrays.fill(bytes, at, at + Block.BYTES, (byte) 0);
            Files.write(ledger, bytes);
            byte[] journal = Files.readAllBytes(store.resolve("ledger.mv.db.journal"));
            Arrays.fill(journal, (byte) 0x55);
            Files.write(store.resolve("ledger.mv.db.journal"), journal);

            // when
            List<String> findings = judgeOrRefused(store, "block at " + at + " zeroed, no journal");

            // then
            assertThat(findings).as("block at " + at).isNotEmpty();
            if (findings.toString().contains("rows recovered")) {
                salvaged++;
                assertThat(findings.toString()).contains("kept as");
                try (Store again = Store.open(store, CONFIG, Disk.real())) {
                    assertThat(again.findings()).isEmpty();
                    assertThat(again.ledger().setting("after")).isPresent();
                }
            }
        }
        assertThat(salvaged).isPositive();
    }

    @Test
    void shouldKeepWhatIsCommittedToASalvagedLedgerWhenThePowerFails() throws IOException {
        // given
        Path store = copy();
        Path ledger = store.resolve("ledger.mv.db");
        byte[] bytes = Files.readAllBytes(ledger);
        int at = bytes.length / 2 / Block.BYTES * Block.BYTES;
        Arrays.fill(bytes, at, at + Block.BYTES, (byte) 0);
        Files.write(ledger, bytes);
        Files.delete(store.resolve("ledger.mv.db.journal"));
        ForgetfulDisk disk = new ForgetfulDisk(store, temporary.resolve("scratch"));

        // when
        Store salvaged = Store.open(store, CONFIG, disk);
        assertThat(salvaged.findings().toString()).contains("rows recovered");
        salvaged.ledger()
                .commit(List.of(new LedgerChange.PutSetting("after", "1")))
                .join();
        disk.powerLoss();
        assertThatThrownBy(salvaged::close).isInstanceOf(StorageException.class);

        // then
        try (Store again = Store.open(store, CONFIG, disk.restart())) {
            assertThat(again.findings()).isEmpty();
            assertThat(again.ledger().setting("after")).contains("1");
        }
    }

    @Test
    void shouldNameRowsThatATruncationTook() throws IOException {
        Random random = new Random(5);
        for (int round = 0; round < 8; round++) {
            // given
            Path store = copy();
            Path ledger = store.resolve("ledger.mv.db");
            byte[] bytes = Files.readAllBytes(ledger);
            int length = round == 0 ? 0 : random.nextInt(bytes.length - Block.BYTES);
            Files.write(ledger, Arrays.copyOf(bytes, length));

            // when, then
            judgeOrRefused(store, "cut to " + length);
        }
    }

    @Test
    void shouldNotBeginAnewWhenTheLedgerIsMissing() throws IOException {
        // given
        Path store = copy();
        Files.delete(store.resolve("ledger.mv.db"));

        // when, then
        for (int i = 0; i < 2; i++) {
            try (Store opened = Store.open(store, CONFIG, Disk.real())) {
                throw new AssertionError("opened " + opened.directory());
            } catch (StorageException e) {
                assertThat(e.code()).isEqualTo(StorageException.Code.DAMAGED);
                assertThat(e).hasMessageContaining("ledger.mv.db").hasMessageContaining("missing");
            }
        }
    }

    @Test
    void shouldForgetSpooledPiecesWhoseBytesAreDamagedOrGone() throws IOException {
        // given
        Path store = copy();
        Path segment = store.resolve("spool/segment-0");
        byte[] bytes = Files.readAllBytes(segment);
        bytes[4096 + 3 * 4096 + 17] ^= 4;
        Files.write(segment, bytes);

        // when
        try (Store opened = Store.open(store, CONFIG, Disk.real())) {
            List<String> damage = opened.verify();

            // then
            assertThat(damage).singleElement().asString().contains("piece 3 of transfer row 9", "segment-0", "CRC32C");
            assertThat(opened.ledger().piece(SPOOLING, 3)).isEmpty();
            assertThat(opened.ledger().piece(SPOOLING, 4)).isPresent();
            assertThat(opened.verify()).isEmpty();
        }
        Files.delete(segment);
        try (Store opened = Store.open(store, CONFIG, Disk.real())) {
            assertThat(opened.findings()).hasSize(SPOOLED - 1);
            assertThat(opened.ledger().piece(SPOOLING, 4)).isEmpty();
        }
    }
}
