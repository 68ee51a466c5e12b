package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Fact;
import io.longhaul.gridftp.protocol.FactLine;
import io.longhaul.gridftp.protocol.Timestamps;
import io.longhaul.gridftp.spi.Entry;
import java.util.EnumMap;
import java.util.Map;

/** Entries as facts. */
final class FactLines {
    private static final int MODE_DIGITS = 4;

    private FactLines() {}

    static String type(Entry entry) {
        return switch (entry.type()) {
            case FILE -> "file";
            case DIRECTORY -> "dir";
            case SPECIAL, OTHER -> "OS.unix=other";
        };
    }

    static FactLine of(Entry entry, String type, String name) {
        Map<Fact, String> facts = new EnumMap<>(Fact.class);
        facts.put(Fact.TYPE, type);
        facts.put(Fact.SIZE, Long.toString(entry.length()));
        facts.put(Fact.MODIFY, Timestamps.format(entry.modified()));
        facts.put(Fact.PERM, permissions(entry));
        entry.unix().ifPresent(unix -> {
            facts.put(Fact.UNIX_MODE, mode(unix.mode()));
            facts.put(Fact.UNIX_OWNER, unix.owner());
            facts.put(Fact.UNIX_UID, Integer.toString(unix.uid()));
            facts.put(Fact.UNIX_GROUP, unix.group());
            facts.put(Fact.UNIX_GID, Integer.toString(unix.gid()));
            facts.put(Fact.UNIQUE, unix.unique());
            unix.linkTarget().ifPresent(target -> facts.put(Fact.UNIX_SLINK, target));
        });
        return new FactLine(facts, name);
    }

    private static String mode(int mode) {
        String digits = Integer.toOctalString(mode);
        return "0".repeat(Math.max(0, MODE_DIGITS - digits.length())) + digits;
    }

    /** RFC 3659 section 7.5.5. */
    private static String permissions(Entry entry) {
        if (entry.isDirectory()) {
            return entry.writable() ? "cdeflmp" : "el";
        }
        return entry.writable() ? "adfrw" : "r";
    }
}
