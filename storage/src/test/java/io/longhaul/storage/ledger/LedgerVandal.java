package io.longhaul.storage.ledger;

import io.longhaul.storage.Disk;
import java.nio.file.Path;
import java.sql.SQLException;

/** Changes a ledger behind the back of everything that guards it, while no store has it open. */
public final class LedgerVandal {
    private LedgerVandal() {}

    /** Runs a statement. */
    public static void run(Path directory, String sql) {
        try (LedgerFile ledger = LedgerFile.open(directory, Disk.real(), false, () -> 1, lost -> {})) {
            ledger.database().execute(sql);
            ledger.database().writing().commit();
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }
}
