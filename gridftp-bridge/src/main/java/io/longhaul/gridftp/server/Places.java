package io.longhaul.gridftp.server;

import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.FilePath;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * Paths as the server knows them, and names for files that are not whole yet: {@code .NAME.lh-OOOOOORRRRRRRRRR}, with six
 * hexadecimal digits of who made it and ten random ones, the last of them odd. With ten zeros it is a whole file that was put
 * aside; the longest names do not fit in, and have a sum in the place of the zeros. Where a server takes no name that begins with a
 * dot, names of files that are not whole begin without. Thread-safe.
 */
final class Places {
    private static final Pattern TEMPORARY = Pattern.compile("(?s).+\\.lh-[0-9a-f]{16}");
    private static final String DOT = ".";
    private static final int OWNER_DIGITS = 6;
    private static final int SUFFIX_BYTES = ".lh-".length() + 16;
    private static final int MOST_NAME_BYTES = 255;
    private static final int MOST_HIDDEN_BYTES = MOST_NAME_BYTES - SUFFIX_BYTES - 1;
    private static final String ASIDE_DIGITS = "0000000000";

    private final FilePath base;
    private final String owner;
    private final RandomGenerator random;
    private final Set<String> used = ConcurrentHashMap.newKeySet();
    private final Set<String> usedByAll; // whoever of this owner has logged in
    private final Map<String, String> carried; // where those in use are whose directories were renamed
    private volatile boolean isBare; // as the server refuses names that begin with a dot

    Places(FilePath base, String owner, RandomGenerator random) {
        this(base, digits(owner), random, ConcurrentHashMap.newKeySet(), new ConcurrentHashMap<>());
    }

    private Places(
            FilePath base, String owner, RandomGenerator random, Set<String> usedByAll, Map<String, String> carried) {
        this.base = base;
        this.owner = owner;
        this.random = random;
        this.usedByAll = usedByAll;
        this.carried = carried;
    }

    private static String digits(String owner) {
        CRC32C sum = new CRC32C();
        sum.update(owner.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().toHexDigits(sum.getValue() >>> Byte.SIZE, OWNER_DIGITS);
    }

    /** Returns those of the same owner under another login: what one of them uses none takes for left. */
    Places ofAnotherLogin() {
        return new Places(base, owner, random, usedByAll, carried);
    }

    /** Returns the server's path of a user's one; throws {@link BackendException} for names that nobody sees. */
    String of(FilePath path) {
        for (String name : path.names()) {
            if (isTemporary(name)) {
                throw new BackendException(Code.NOT_FOUND, path + ": No such file or directory");
            }
            if (!canBeSent(name)) {
                throw new BackendException(Code.BAD_NAME, path.parent() + ": a name with control characters");
            }
        }
        return absolute(path);
    }

    private static boolean canBeSent(String name) {
        return name.chars().allMatch(character -> character >= ' ' || character == '\t');
    }

    private String absolute(FilePath path) {
        String below = path.isRoot() ? "" : path.toString();
        return base.isRoot() ? (below.isEmpty() ? "/" : below) : base + below;
    }

    /** Returns the path that a link leads to by what it says, if that is below the base. */
    Optional<FilePath> pointed(FilePath link, String target) {
        FilePath place = base.append(link.parent()).resolve(target);
        return Optional.of(place).filter(path -> path.startsWith(base)).map(path -> path.below(base));
    }

    /** Returns a path in the same directory that nobody else has, and that is in use until {@link #done}. */
    String temporary(FilePath path) {
        return temporary(path, isBare ? "" : DOT);
    }

    /** Returns one that begins without a dot. */
    String bare(FilePath path) {
        return temporary(path, "");
    }

    private String temporary(FilePath path, String first) {
        String digits = HexFormat.of().toHexDigits(random.nextLong() | 1, ASIDE_DIGITS.length());
        String place = hidden(path, first, digits);
        usedByAll.add(place);
        used.add(place);
        return place;
    }

    /** The server has taken a temporary file, under a name that did or did not begin with a dot. */
    void taken(String temporary) {
        isBare = isTemporary(name(temporary)) && !name(temporary).startsWith(DOT);
    }

    private static String name(String place) {
        return place.substring(place.lastIndexOf('/') + 1);
    }

    private String hidden(FilePath path, String first, String digits) {
        byte[] name = path.name().getBytes(StandardCharsets.UTF_8);
        int length = Math.min(name.length, MOST_HIDDEN_BYTES);
        while (length > 0 && length < name.length && (name[length] & 0xc0) == 0x80) {
            // not within a character
            length--;
        }
        return in(path.parent(), first + new String(name, 0, length, StandardCharsets.UTF_8) + ".lh-" + owner + digits);
    }

    /** Returns the path by which a file is put aside and found again; there is none for the root. */
    Optional<String> aside(FilePath path) {
        if (path.isRoot()) {
            return Optional.empty();
        }
        byte[] name = path.name().getBytes(StandardCharsets.UTF_8);
        boolean fits = name.length <= MOST_HIDDEN_BYTES;
        return Optional.of(hidden(path, DOT, fits ? ASIDE_DIGITS : sum(name)));
    }

    /** Returns ten digits that are not all zeros, and the last of which is even. */
    private static String sum(byte[] name) {
        CRC32C sum = new CRC32C();
        sum.update(name);
        return HexFormat.of().toHexDigits(1L << 39 | sum.getValue() << 1, ASIDE_DIGITS.length());
    }

    /** Returns the name of the file that this owner put aside under another one, if it did. */
    Optional<String> putAside(String name) {
        if (!isTemporary(name) || !name.startsWith(DOT) || !name.endsWith(".lh-" + owner + ASIDE_DIGITS)) {
            return Optional.empty();
        }
        String old = name.substring(1, name.length() - SUFFIX_BYTES);
        boolean isOne = !isTemporary(old) && !old.isEmpty() && !old.equals(".") && !old.equals("..");
        return Optional.of(old).filter(found -> isOne && canBeSent(found));
    }

    /** Returns the path of a name in a directory. */
    String in(FilePath directory, String name) {
        String parent = absolute(directory);
        return parent.endsWith("/") ? parent + name : parent + "/" + name;
    }

    /** A directory has another name, and with it what lies in it. */
    void renamed(FilePath from, FilePath to) {
        String before = in(from, "");
        for (String temporary : usedByAll) {
            String place = now(temporary);
            if (place.startsWith(before)) {
                carried.put(temporary, in(to, place.substring(before.length())));
            }
        }
    }

    /** Returns where what was begun at a temporary path is now, as far as directories were renamed by this owner. */
    String now(String temporary) {
        return carried.getOrDefault(temporary, temporary);
    }

    /** Nobody uses the temporary path any more. */
    void done(String temporary) {
        used.remove(temporary);
        usedByAll.remove(temporary);
        carried.remove(temporary);
    }

    /** Returns the temporary paths that are in use by this login. */
    List<String> used() {
        return List.copyOf(used);
    }

    static boolean isTemporary(String name) {
        return TEMPORARY.matcher(name).matches();
    }

    /** Returns whether a path is that of a file which a process before this one began and nobody goes on with. */
    boolean isLeft(String place) {
        String name = name(place);
        return isTemporary(name)
                && Character.digit(name.charAt(name.length() - 1), 16) % 2 == 1
                && place.startsWith(owner, place.length() - SUFFIX_BYTES + ".lh-".length())
                && !usedByAll.contains(place)
                && !carried.containsValue(place);
    }
}
