package io.longhaul.storage.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.Samples;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.h2.store.fs.FileUtils;
import org.h2.store.fs.Recorder;
import org.h2.store.fs.rec.FilePathRec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Ends the migrations, or the making of a new ledger, after each of H2's writes: the file beneath gives back what was before any of them. */
class CutOffMigrationTest {
    private static final String MEMORY = "memFS:cut-off-migration/";
    private static final String FILE = MEMORY + "ledger";
    private static final String MIGRATED = MEMORY + "migrated";
    private static final String SUFFIX = ".mv.db";
    private static final int TRANSFERS = 300;

    private final List<byte[]> images = new ArrayList<>();

    @AfterEach
    void forget() {
        FilePathRec.setRecorder(null);
        FileUtils.tryDelete(FILE + SUFFIX);
        FileUtils.tryDelete(MIGRATED + SUFFIX);
    }

    @Test
    void shouldLoseNothingWhereverTheMigrationsWereCutOff() throws Exception {
        // given
        List<TransferRow> rows = fill();
        migrateRecorded(read(), database -> {});

        for (byte[] image : images) {
            // when
            write(image);
            try (Database database = open(FILE)) {
                Schema.migrate(database, Path.of(FILE), Schema.VERSION);

                // then
                assertThat(database.query(
                                Rows::transfer,
                                Rows.transfersIn(Set.of(TransferState.RECEIPTED)),
                                "climate.daily",
                                "s1"))
                        .isEqualTo(rows);
                assertThat(database.query(Rows::transfer, Rows.LATEST_DELIVERED, "climate.daily", "s1", "n"))
                        .containsExactly(rows.get(TRANSFERS - 1));
                assertThat(database.query(Rows::entries, "SELECT " + Rows.ENTRY + " FROM entry"))
                        .hasSize(1);
                assertThat(database.query(row -> row.getLong(1), "SELECT spool FROM slot"))
                        .containsExactly(3L);
                assertThat(database.query(Rows::receipt, "SELECT " + Rows.RECEIPT + " FROM receipt"))
                        .containsExactly(OldStore.RECEIPT);
                assertThat(database.query(row -> row.getInt(1), "SELECT version FROM schema_version ORDER BY 1"))
                        .containsExactlyElementsOf(
                                IntStream.rangeClosed(1, Schema.VERSION).boxed().toList());
                assertThat(database.query(
                                row -> row.getString(1),
                                "SELECT index_name FROM information_schema.indexes WHERE table_name = 'TRANSFER'"
                                        + " AND index_name LIKE 'TRANSFER%' ORDER BY 1"))
                        .containsExactly("TRANSFER_IDENTITY", "TRANSFER_STATE");
            }
        }
    }

    @Test
    void shouldMakeTheTablesOfTheMigrationsWhereverMakingThemWasCutOff() throws Exception {
        // given
        List<String> migrated;
        try (Database database = open(MIGRATED)) {
            Schema.migrate(database, Path.of(FILE), 1);
            Schema.migrate(database, Path.of(FILE), Schema.VERSION);
            migrated = tables(database);
        }
        migrateRecorded(new byte[0], database -> assertThat(tables(database)).isEqualTo(migrated));

        for (byte[] image : images) {
            // when
            write(image);
            try (Database database = open(FILE)) {
                Schema.migrate(database, Path.of(FILE), Schema.VERSION);

                // then
                assertThat(tables(database)).isEqualTo(migrated);
            }
        }
    }

    /** Returns a line for each column, each column of an index, and each version. */
    private static List<String> tables(Database database) {
        List<String> lines = new ArrayList<>();
        for (String query : List.of(
                "SELECT CONCAT_WS(' ', table_name, ordinal_position, column_name, data_type, is_nullable, column_default)"
                        + " FROM information_schema.columns WHERE table_schema = 'PUBLIC' ORDER BY 1",
                // H2 numbers the indexes of primary keys as it makes them
                "SELECT CONCAT_WS(' ', table_name, REGEXP_REPLACE(index_name, 'PRIMARY_KEY_.*', 'PRIMARY_KEY'),"
                        + " ordinal_position, column_name, ordering_specification, is_unique)"
                        + " FROM information_schema.index_columns WHERE table_schema = 'PUBLIC' ORDER BY 1",
                "SELECT version FROM schema_version ORDER BY 1")) {
            lines.addAll(database.query(row -> row.getString(1), query));
        }
        return lines;
    }

    /** Makes a ledger of version 1. */
    private static List<TransferRow> fill() throws SQLException {
        List<TransferRow> rows = new ArrayList<>();
        try (Database database = open(FILE)) {
            Schema.migrate(database, Path.of(FILE), 1);
            Connection writing = database.writing();
            ChangeWriter writer = new ChangeWriter(writing, new Purge(writing), Set.of(), 0);
            for (int i = 1; i <= TRANSFERS; i++) {
                rows.add(Samples.incoming(i, "t" + i, "n", i, TransferState.RECEIPTED));
                writer.apply(new LedgerChange.PutTransfer(rows.get(i - 1)));
            }
            writer.apply(new LedgerChange.PutReceipt(OldStore.RECEIPT));
            database.execute("INSERT INTO entry VALUES (1, 2, X'03', X'04')");
            database.execute("INSERT INTO slot VALUES (3, 4)");
            writing.commit();
        }
        return rows;
    }

    private static Database open(String name) {
        return Database.open(Path.of("ledger"), name);
    }

    /** Brings the file to the newest version, and keeps an image of it from before and after each write. */
    private void migrateRecorded(byte[] before, Consumer<Database> then) throws SQLException {
        FilePathRec.register();
        FilePathRec.setRecorder(this::record);
        images.add(before);
        try (Database database = open("rec:" + FILE)) {
            Schema.migrate(database, Path.of(FILE), Schema.VERSION);
            then.accept(database);
        }
        FilePathRec.setRecorder(null);
        assertThat(images).hasSizeGreaterThan(Schema.VERSION);
    }

    private void record(int operation, String file, byte[] data, long position) {
        if (!file.endsWith(SUFFIX)) {
            return;
        }
        byte[] before = images.get(images.size() - 1);
        if (operation == Recorder.WRITE) {
            byte[] after = Arrays.copyOf(before, Math.max(before.length, (int) position + data.length));
            ByteBuffer.wrap(after).position((int) position).put(data);
            images.add(after);
        } else if (operation == Recorder.TRUNCATE) {
            images.add(Arrays.copyOf(before, (int) position));
        }
    }

    private static byte[] read() throws IOException {
        try (InputStream in = FileUtils.newInputStream(FILE + SUFFIX)) {
            return in.readAllBytes();
        }
    }

    private static void write(byte[] image) throws IOException {
        try (OutputStream out = FileUtils.newOutputStream(FILE + SUFFIX, false)) {
            out.write(image);
        }
    }
}
