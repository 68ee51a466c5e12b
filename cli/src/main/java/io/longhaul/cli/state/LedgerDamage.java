package io.longhaul.cli.state;

import io.longhaul.storage.Store;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What to say of changes that a ledger has lost by damage. */
public final class LedgerDamage {
    private LedgerDamage() {}

    /** Returns a line for each damage, and what to do; nothing when the ledger has lost nothing. */
    public static List<String> lines(Path data) {
        List<String> lines = new ArrayList<>(Store.damage(data));
        if (!lines.isEmpty()) {
            lines.add("receipts and transfers may be missing in " + data + ": " + advice(data));
        }
        return lines;
    }

    /** Returns what to do about it. */
    public static String advice(Path data) {
        return "compare them with those of the other sites, then remove " + Store.damageFile(data);
    }
}
