package io.longhaul.gridftp.server;

import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.FilePath;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * Paths as the server knows them, and names for files that are not whole yet: {@code .NAME.lh-OOOOOORRRRRRRRRR}, with six
 * hexadecimal digits of who made it and ten random ones; with ten zeros it is a whole file that was put aside. Thread-safe.
 */
final class Places {
    private static final Pattern TEMPORARY = Pattern.compile("\\..*\\.lh-[0-9a-f]{16}");
    private static final int OWNER_DIGITS = 6;
    private static final int SUFFIX_BYTES = ".lh-".length() + 16;
    private static final int MOST_NAME_BYTES = 255;
    private static final String ASIDE_DIGITS = "0000000000";

    private final FilePath base;
    private final String owner;
    private final RandomGenerator random;
    private final Set<String> used = ConcurrentHashMap.newKeySet();

    Places(FilePath base, String owner, RandomGenerator random) {
        this.base = base;
        CRC32C sum = new CRC32C();
        sum.update(owner.getBytes(StandardCharsets.UTF_8));
        this.owner = HexFormat.of().toHexDigits(sum.getValue() >>> Byte.SIZE, OWNER_DIGITS);
        this.random = random;
    }

    /** Returns the server's path of a user's one; throws {@link BackendException} for names that nobody sees. */
    String of(FilePath path) {
        for (String name : path.names()) {
            if (isTemporary(name)) {
                throw new BackendException(Code.NOT_FOUND, path + ": No such file or directory");
            }
            if (name.chars().anyMatch(Character::isISOControl)) {
                throw new BackendException(Code.BAD_NAME, path.parent() + ": a name with control characters");
            }
        }
        return absolute(path);
    }

    private String absolute(FilePath path) {
        String below = path.isRoot() ? "" : path.toString();
        return base.isRoot() ? (below.isEmpty() ? "/" : below) : base + below;
    }

    /** Returns a path in the same directory that nobody else has, and that is in use until {@link #done}. */
    String temporary(FilePath path) {
        byte[] name = path.name().getBytes(StandardCharsets.UTF_8);
        int length = Math.min(name.length, MOST_NAME_BYTES - SUFFIX_BYTES - 1);
        while (length > 0 && length < name.length && (name[length] & 0xc0) == 0x80) {
            // not within a character
            length--;
        }
        String digits = HexFormat.of().toHexDigits(random.nextLong() | 1, ASIDE_DIGITS.length());
        String temporary = "." + new String(name, 0, length, StandardCharsets.UTF_8) + ".lh-" + owner + digits;
        String place = in(path.parent(), temporary);
        used.add(place);
        return place;
    }

    /** Returns the path by which a file is put aside and found again; there is none for the longest names. */
    Optional<String> aside(FilePath path) {
        int length = path.name().getBytes(StandardCharsets.UTF_8).length;
        boolean fits = !path.isRoot() && length + 1 + SUFFIX_BYTES <= MOST_NAME_BYTES;
        return fits
                ? Optional.of(in(path.parent(), "." + path.name() + ".lh-" + owner + ASIDE_DIGITS))
                : Optional.empty();
    }

    /** Returns the name of the file that this owner put aside under another one, if it did. */
    Optional<String> putAside(String name) {
        if (!isTemporary(name) || !name.endsWith(".lh-" + owner + ASIDE_DIGITS)) {
            return Optional.empty();
        }
        String old = name.substring(1, name.length() - SUFFIX_BYTES);
        boolean isOne = !isTemporary(old) && !old.isEmpty() && !old.equals(".") && !old.equals("..");
        return Optional.of(old).filter(found -> isOne && found.chars().noneMatch(Character::isISOControl));
    }

    /** Returns the path of a name in a directory. */
    String in(FilePath directory, String name) {
        String parent = absolute(directory);
        return parent.endsWith("/") ? parent + name : parent + "/" + name;
    }

    /** Nobody uses the temporary path any more. */
    void done(String temporary) {
        used.remove(temporary);
    }

    /** Returns the temporary paths that are in use. */
    List<String> used() {
        return List.copyOf(used);
    }

    static boolean isTemporary(String name) {
        return TEMPORARY.matcher(name).matches();
    }

    /** Returns whether a path is that of a file which a process before this one began and nobody goes on with. */
    boolean isLeft(String place) {
        String name = place.substring(place.lastIndexOf('/') + 1);
        return isTemporary(name)
                && putAside(name).isEmpty()
                && place.startsWith(owner, place.length() - SUFFIX_BYTES + ".lh-".length())
                && !used.contains(place);
    }
}
