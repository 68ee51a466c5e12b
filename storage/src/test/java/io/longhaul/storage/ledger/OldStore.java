package io.longhaul.storage.ledger;

import io.longhaul.storage.Direction;
import io.longhaul.storage.Disk;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.ReceiptRow;
import io.longhaul.storage.Samples;
import io.longhaul.storage.Store;
import io.longhaul.storage.StoreConfig;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Writes a store whose ledger has the schema of an older version, as a zip: how {@code store-version-N.zip} were made.
 * Arguments: schema version, zip file.
 */
final class OldStore {
    static final StoreConfig CONFIG = new StoreConfig(512, 8192, Long.MAX_VALUE, 0);

    static final ReceiptRow RECEIPT = new ReceiptRow(Direction.INCOMING, "old", "climate.daily", "s1", 5, "{\"r\":1}");

    static final TransferRow DELIVERED = Samples.incoming(4, "delivered", "n", 5, TransferState.RECEIPTED);
    static final TransferRow RECEIVING = Samples.incoming(5, "receiving", "n", 6, TransferState.RECEIVING);

    static final int ENTRIES = 5;

    private OldStore() {}

    public static void main(String[] args) throws Exception {
        Path directory = Files.createTempDirectory("old-store");
        Store.open(directory, CONFIG, Disk.real()).close();
        Disk.real().delete(directory.resolve("ledger.mv.db"));
        Disk.real().delete(directory.resolve("ledger.mv.db.journal"));
        fill(directory, Integer.parseInt(args[0]));
        zip(directory, Path.of(args[1]));
    }

    private static void fill(Path directory, int version) throws Exception {
        Path file = directory.resolve("ledger.mv.db");
        BlockFile.create(file, Disk.real(), 1);
        byte[] body = "spooled in an old store".getBytes(StandardCharsets.UTF_8);
        try (LedgerFile ledger =
                LedgerFile.openDatabase(file, BlockFile.open(file, Disk.real()).file(), version, List.of())) {
            ChangeWriter writer = new ChangeWriter(
                    ledger.database().writing(), new Purge(ledger.database().writing()), java.util.Set.of(), 0);
            writer.apply(new LedgerChange.PutTransfer(Samples.outgoing(3, "old")));
            writer.apply(new LedgerChange.PutTransfer(DELIVERED));
            writer.apply(new LedgerChange.PutTransfer(RECEIVING));
            writer.apply(new LedgerChange.PutPieces(3, List.of(Samples.durable(0), Samples.durable(7))));
            writer.apply(new LedgerChange.PutSetting("greeting", "hello"));
            writer.apply(new LedgerChange.PutReceipt(RECEIPT));
            for (int number = 0; number < ENTRIES; number++) {
                ledger.database()
                        .execute("INSERT INTO entry (id, piece, encoded, sha256) VALUES (" + Rows.id(3, number) + ", "
                                + Rows.id(3, 7) + ", X'0" + number + "', X'FF0" + number + "')");
            }
            long position = spool(directory, body);
            ledger.database()
                    .execute("INSERT INTO piece VALUES (" + Rows.id(3, 8) + ", 1, 0, 0, " + body.length + ", "
                            + Samples.crc(body) + ", FALSE, " + position + ")");
            ledger.database()
                    .execute("INSERT INTO slot (spool, piece) VALUES (" + position + ", " + Rows.id(3, 8) + ")");
            ledger.database().writing().commit();
        }
    }

    private static long spool(Path directory, byte[] body) throws IOException {
        Path scratch = Files.createTempDirectory("old-spool");
        try (Store store = Store.open(scratch, CONFIG, Disk.real())) {
            long position = store.spool().write(ByteBuffer.wrap(body));
            store.spool().force();
            Files.copy(scratch.resolve("spool/segment-0"), directory.resolve("spool/segment-0"));
            return position;
        }
    }

    private static void zip(Path directory, Path zip) throws IOException {
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip));
                Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile)
                    .filter(path -> !path.endsWith("lock"))
                    .sorted()
                    .toList()) {
                out.putNextEntry(new ZipEntry(directory.relativize(file).toString()));
                Files.copy(file, out);
                out.closeEntry();
            }
        }
    }
}
