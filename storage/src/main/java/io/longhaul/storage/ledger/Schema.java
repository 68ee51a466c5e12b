package io.longhaul.storage.ledger;

import io.longhaul.storage.StorageException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The tables of a ledger, {@code schema.sql}, the numbered migrations {@code migration-N.sql} that lead to them from older
 * ones, and which of these a ledger has had.
 *
 * <p>A migration may be cut off anywhere and is then run again, so each of its statements does nothing when its work is
 * done. One that has been released never changes.
 */
final class Schema {
    static final int VERSION = 5;

    private static final String VERSIONS = "CREATE TABLE IF NOT EXISTS schema_version (version INT PRIMARY KEY)";

    /** What H2 calls the copy of a table that it alters. */
    private static final Pattern COPY = Pattern.compile("(.+)_COPY_\\d+_\\d+");

    private Schema() {}

    /** Brings the ledger to the given version; a ledger of a newer one is refused. */
    static void migrate(Database database, Path file, int target) throws SQLException {
        List<String> tables = tables(database);
        if (tables.isEmpty() && target == VERSION) {
            create(database);
            return;
        }
        database.execute(VERSIONS);
        List<Integer> found = Database.query(
                database.writing(), row -> row.getInt(1), "SELECT COALESCE(MAX(version), 0) FROM schema_version");
        int version = found.get(0);
        if (version > VERSION) {
            throw new StorageException(
                    StorageException.Code.VERSION,
                    "ledger " + file + ": expected schema version " + VERSION + " or older, found " + version
                            + ": written by a newer Longhaul");
        }
        if (version < target) {
            finishAlterations(database, tables);
        }
        for (int next = version + 1; next <= target; next++) {
            run(database, "migration-" + next + ".sql");
            database.execute("INSERT INTO schema_version VALUES (" + next + ")");
            database.writing().commit();
        }
    }

    /** What is cut off in this has no version: the migrations add what is missing. */
    private static void create(Database database) throws SQLException {
        run(database, "schema.sql");
        database.execute(VERSIONS);
        database.execute("INSERT INTO schema_version SELECT x FROM SYSTEM_RANGE(1, " + VERSION + ")");
        database.writing().commit();
    }

    private static List<String> tables(Database database) throws SQLException {
        return Database.query(
                database.writing(),
                row -> row.getString(1),
                "SELECT table_name FROM information_schema.tables WHERE table_schema = 'PUBLIC'");
    }

    private static void run(Database database, String script) {
        for (String statement : statements(script)) {
            database.execute(statement);
        }
    }

    /**
     * H2 adds a column by filling a copy of the table, dropping the table and giving its name to the copy, and keeps each
     * of these steps at once. Beside its table, a copy that was left behind is of no use; without it, it is the table.
     */
    private static void finishAlterations(Database database, List<String> tables) {
        for (String table : tables) {
            Matcher copy = COPY.matcher(table);
            if (copy.matches()) {
                String original = copy.group(1);
                database.execute(
                        tables.contains(original)
                                ? "DROP TABLE " + table
                                : "ALTER TABLE " + table + " RENAME TO " + original);
            }
        }
    }

    private static List<String> statements(String name) {
        try (InputStream resource = Schema.class.getResourceAsStream(name)) {
            if (resource == null) {
                throw new IllegalStateException(name + " is missing from the class path");
            }
            String script = new String(resource.readAllBytes(), StandardCharsets.UTF_8).replaceAll("(?m)^--.*$", "");
            return List.of(script.split(";")).stream()
                    .map(String::strip)
                    .filter(each -> !each.isEmpty())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("read " + name, e);
        }
    }
}
