package io.longhaul.storage.ledger;

import io.longhaul.storage.StorageException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.h2.engine.DbObject;
import org.h2.engine.MetaRecord;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.h2.mvstore.db.ValueDataType;
import org.h2.mvstore.tx.Transaction;
import org.h2.mvstore.tx.TransactionMap;
import org.h2.mvstore.tx.TransactionStore;
import org.h2.result.SearchRow;
import org.h2.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a damaged database, read from the maps that H2 keeps their rows in. H2 itself opens no database of which an
 * index, or the end of a table, cannot be read.
 *
 * <p>What is damaged throws {@link MVStoreException} where it is read. Not thread-safe.
 */
final class Remains implements AutoCloseable {
    private static final String SUFFIX = ".mv.db";

    /** Where H2 keeps the statements that make the tables. */
    private static final String OBJECTS = "table.0";

    private static final Pattern TABLE =
            Pattern.compile("CREATE CACHED TABLE \"PUBLIC\"\\.\"(\\w+)\"\\s*\\((.*)", Pattern.DOTALL);
    private static final Pattern COLUMN = Pattern.compile("(?m)^\\s*\"(\\w+)\" ");

    private final MVStore store;
    private final Transaction reading;
    private final Map<String, Table> tables = new HashMap<>();

    private Remains(MVStore store) {
        this.store = store;
        TransactionStore transactions = new TransactionStore(store, new ValueDataType());
        transactions.init();
        this.reading = transactions.begin();
    }

    /** Opens a database that may be written to; throws when not even its tables are known. */
    static Remains open(String name) {
        MVStore store = new MVStore.Builder()
                .fileName(name + SUFFIX)
                .autoCommitDisabled()
                .open();
        try {
            Remains remains = new Remains(store);
            remains.findTables();
            return remains;
        } catch (RuntimeException e) {
            store.closeImmediately();
            throw e;
        }
    }

    private void findTables() {
        if (!store.hasMap(OBJECTS)) {
            throw new StorageException(StorageException.Code.DAMAGED, "expected the map " + OBJECTS + ", found none");
        }
        TransactionMap<Long, SearchRow> objects = reading.openMap(OBJECTS);
        for (SearchRow row : objects.values()) {
            MetaRecord object = new MetaRecord(row);
            Matcher table = TABLE.matcher(object.getSQL());
            if (object.getObjectType() == DbObject.TABLE_OR_VIEW && table.matches()) {
                List<String> columns = new ArrayList<>();
                Matcher column = COLUMN.matcher(table.group(2));
                while (column.find()) {
                    columns.add(column.group(1));
                }
                tables.put(table.group(1), new Table("table." + object.getId(), columns));
            }
        }
    }

    /** Returns the version of the database that can be read, which need not be the last that was written. */
    long version() {
        return store.getCurrentVersion();
    }

    /** Returns whether there was such a table. */
    boolean has(String table) {
        return tables.containsKey(table);
    }

    /** Returns a table that there was; throws when nothing of it can be read. */
    Rows rows(String table) {
        Table found = tables.get(table);
        if (found == null) {
            throw new IllegalArgumentException("no table " + table);
        }
        return new Rows(found.columns, reading.openMap(found.map));
    }

    private record Table(String map, List<String> columns) {}

    /** A row and its number in the table. */
    record Row(long number, List<Value> values) {}

    /** The rows of one table, by their numbers. */
    static final class Rows {
        private final List<String> columns;
        private final TransactionMap<Long, SearchRow> map;

        private Rows(List<String> columns, TransactionMap<Long, SearchRow> map) {
            this.columns = columns;
            this.map = map;
        }

        List<String> columns() {
            return columns;
        }

        /** Returns the least number of a row. */
        OptionalLong first() {
            return number(map.firstKey());
        }

        /** Returns the greatest number of a row. */
        OptionalLong last() {
            return number(map.lastKey());
        }

        private static OptionalLong number(@Nullable Long key) {
            return key == null ? OptionalLong.empty() : OptionalLong.of(key);
        }

        /** Returns the first rows of a range, so many at most. */
        List<Row> read(long first, long last, int most) {
            if (first == last) {
                SearchRow row = map.get(first); // reads nothing beside its page
                return row == null ? List.of() : List.of(row(first, row));
            }
            List<Row> rows = new ArrayList<>();
            var entries = map.entryIterator(first, last);
            while (rows.size() < most) {
                Map.Entry<Long, SearchRow> entry = entries.fetchNext();
                if (entry == null) {
                    break;
                }
                rows.add(row(entry.getKey(), entry.getValue()));
            }
            return rows;
        }

        private Row row(long number, SearchRow row) {
            if (row.getColumnCount() != columns.size()) {
                throw new StorageException(
                        StorageException.Code.DAMAGED,
                        "row " + number + ": expected " + columns.size() + " columns, found " + row.getColumnCount());
            }
            List<Value> values = new ArrayList<>();
            for (int i = 0; i < columns.size(); i++) {
                values.add(row.getValue(i));
            }
            return new Row(number, values);
        }
    }

    /** Lets go of everything without writing. */
    @Override
    public void close() {
        store.closeImmediately();
    }
}
