package io.longhaul.gridftp.file;

import io.longhaul.gridftp.spi.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads what is known of a file. */
final class Entries {
    private static final int PERMISSIONS = 0777;

    private final Confinement confinement;

    Entries(Confinement confinement) {
        this.confinement = confinement;
    }

    /** Returns a file's entry; a link's is that of what it points to, if that is inside. */
    Entry of(Path path, String name) throws IOException {
        if (!Files.isSymbolicLink(path)) {
            return entry(path, name, Optional.empty());
        }
        Optional<String> target = Optional.of(Files.readSymbolicLink(path).toString());
        try {
            Path real = path.toRealPath();
            if (real.startsWith(confinement.root())) {
                return entry(real, name, target);
            }
        } catch (IOException e) {
            // points to nothing, to itself, or where nobody may look: shown as what it is
        }
        // A target outside says nothing to the user but something of the machine.
        return entry(path, name, Optional.empty());
    }

    private static Entry entry(Path path, String name, Optional<String> linkTarget) throws IOException {
        Map<String, Object> found = Files.readAttributes(path, "unix:*", LinkOption.NOFOLLOW_LINKS);
        Entry.Unix unix = new Entry.Unix(
                number(found, "mode") & PERMISSIONS,
                number(found, "nlink"),
                String.valueOf(found.get("owner")),
                number(found, "uid"),
                String.valueOf(found.get("group")),
                number(found, "gid"),
                Long.toHexString(((Number) value(found, "dev")).longValue())
                        + "-"
                        + Long.toHexString(((Number) value(found, "ino")).longValue()),
                linkTarget,
                Optional.of(((FileTime) value(found, "ctime")).toInstant()));
        return new Entry(
                name,
                type(found),
                ((Number) value(found, "size")).longValue(),
                ((FileTime) value(found, "lastModifiedTime")).toInstant(),
                Files.isWritable(path),
                Optional.of(unix));
    }

    private static Entry.Type type(Map<String, Object> found) {
        if (Boolean.TRUE.equals(found.get("isRegularFile"))) {
            return Entry.Type.FILE;
        }
        if (Boolean.TRUE.equals(found.get("isDirectory"))) {
            return Entry.Type.DIRECTORY;
        }
        return Boolean.TRUE.equals(found.get("isOther")) ? Entry.Type.SPECIAL : Entry.Type.OTHER;
    }

    /** Returns the rights of nine permission bits. */
    static Set<PosixFilePermission> permissions(int mode) {
        PosixFilePermission[] fromTheLeft = PosixFilePermission.values();
        Set<PosixFilePermission> rights = EnumSet.noneOf(PosixFilePermission.class);
        for (int i = 0; i < fromTheLeft.length; i++) {
            if ((mode >> fromTheLeft.length - 1 - i & 1) == 1) {
                rights.add(fromTheLeft[i]);
            }
        }
        return rights;
    }

    private static int number(Map<String, Object> found, String name) {
        return ((Number) value(found, name)).intValue();
    }

    private static Object value(Map<String, Object> found, String name) {
        Object value = found.get(name);
        if (value == null) {
            throw new IllegalStateException("this system does not tell " + name + " of a file");
        }
        return value;
    }
}
