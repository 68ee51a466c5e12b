package io.longhaul.storage.ledger;

import io.longhaul.storage.StorageException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.h2.Driver;
import org.h2.api.ErrorCode;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;

/**
 * The H2 database of one ledger: one connection that writes, and idle ones that read.
 *
 * <p>{@code WRITE_DELAY=0} makes H2 hand every commit to its file at once; what makes it durable is {@link #sync}.
 * {@code RETENTION_TIME=0} lets H2 use the space of replaced pages again at once, which keeps the file small and is
 * sound because the file takes in whole writes in order ({@link BlockFile}).
 */
final class Database implements AutoCloseable {
    private static final int CACHE_KIB = 16 * 1024;
    private static final int FILL_PERCENT = 50;

    private final Path file;
    private final String url;
    private final Connection writing;
    private final MVStore store;
    private final ConcurrentLinkedQueue<Connection> idleReaders = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    private Database(Path file, String url, Connection writing) throws SQLException {
        this.file = file;
        this.url = url;
        this.writing = writing;
        SessionLocal session =
                (SessionLocal) writing.unwrap(JdbcConnection.class).getSession();
        this.store = session.getDatabase().getStore().getMvStore();
    }

    /** Opens or creates the database of that name; the path is for messages. */
    static Database open(Path file, String name) {
        String url = "jdbc:h2:" + name
                + ";WRITE_DELAY=0;FILE_LOCK=NO;TRACE_LEVEL_FILE=0;TRACE_LEVEL_SYSTEM_OUT=0;DB_CLOSE_ON_EXIT=FALSE;ANALYZE_AUTO=0"
                + ";MAX_COMPACT_TIME=500;CACHE_SIZE=" + CACHE_KIB;
        try {
            Connection writing = connect(url);
            Database database = new Database(file, url, writing);
            database.execute("SET RETENTION_TIME 0");
            // a list is made of each result in any case; the directory for temporary files may be small, or read-only
            database.execute("SET MAX_MEMORY_ROWS " + Integer.MAX_VALUE);
            writing.setAutoCommit(false);
            return database;
        } catch (SQLException e) {
            throw failure(file, "open", e);
        }
    }

    private static Connection connect(String url) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", "longhaul");
        properties.setProperty("password", "");
        return new Driver().connect(url, properties);
    }

    /** Returns the writer's connection; for the writer's thread only. */
    Connection writing() {
        return writing;
    }

    /** Runs one statement on the writer's connection. */
    void execute(String sql) {
        try (Statement statement = writing.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw failure("run " + sql, e);
        }
    }

    /** Makes everything committed durable. */
    void sync() {
        execute("CHECKPOINT SYNC");
    }

    /** Moves what is alive in badly filled parts of the file together, about so many bytes of it. */
    void compact(int bytes) {
        try {
            store.compact(FILL_PERCENT, bytes);
        } catch (MVStoreException e) {
            throw failure("compact", e);
        }
    }

    /** Reads a row. */
    interface RowReader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** Returns all rows of a query, on a connection of its own, as of now. */
    <T> List<T> query(RowReader<T> reader, String sql, Object... arguments) {
        if (closed) {
            throw new StorageException(StorageException.Code.CLOSED, "ledger " + file + " is closed");
        }
        Connection connection = null;
        try {
            connection = idleReaders.poll();
            if (connection == null) {
                connection = connect(url);
                connection.setReadOnly(true);
            }
            return query(connection, reader, sql, arguments);
        } catch (SQLException | MVStoreException e) {
            throw failure("read", e);
        } finally {
            if (connection != null) {
                idleReaders.add(connection);
            }
        }
    }

    /** Returns all rows of a query on the given connection. */
    static <T> List<T> query(Connection connection, RowReader<T> reader, String sql, Object... arguments)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < arguments.length; i++) {
                statement.setObject(i + 1, arguments[i]);
            }
            List<T> rows = new ArrayList<>();
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    rows.add(reader.read(result));
                }
            }
            return rows;
        }
    }

    StorageException failure(String doing, Exception cause) {
        return closed
                ? new StorageException(StorageException.Code.CLOSED, "ledger " + file + " is closed", cause)
                : failure(file, doing, cause);
    }

    /** A failure of the disk keeps its own words and code; what H2 cannot make sense of is damage. */
    static StorageException failure(Path file, String doing, Exception cause) {
        for (Throwable each = cause; each != null; each = each.getCause()) {
            if (each instanceof StorageException storage) {
                return new StorageException(storage.code(), "ledger " + file + ": " + storage.getMessage(), cause);
            }
        }
        StorageException.Code code = StorageException.Code.IO;
        if (cause instanceof SQLException sql) {
            code = switch (sql.getErrorCode()) {
                case ErrorCode.FILE_CORRUPTED_1,
                        ErrorCode.FILE_VERSION_ERROR_1,
                        ErrorCode.GENERAL_ERROR_1,
                        ErrorCode.FILE_ENCRYPTION_ERROR_1,
                        ErrorCode.IO_EXCEPTION_1 -> StorageException.Code.DAMAGED;
                case ErrorCode.DATABASE_IS_CLOSED, ErrorCode.OBJECT_CLOSED -> StorageException.Code.CLOSED;
                default -> StorageException.Code.IO;
            };
        }
        return new StorageException(code, "ledger " + file + ": " + doing + ": " + cause.getMessage(), cause);
    }

    /** Ends readers, compacts for a bounded time and closes. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try (Statement statement = writing.createStatement()) {
            statement.execute("SHUTDOWN");
        } catch (SQLException e) {
            throw failure(file, "close", e);
        }
    }

    /** Lets go of everything without writing any more. */
    void abandon() {
        closed = true;
        try (Statement statement = writing.createStatement()) {
            statement.execute("SHUTDOWN IMMEDIATELY");
        } catch (SQLException e) {
            // the database is of no use any more; what was wrong with it has been said by who abandons it
            closed = true;
        }
    }
}
