package io.longhaul.gridftp.protocol;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What MLST and MLSD tell of a file (RFC 3659 section 7.5), with the UNIX facts that GridFTP clients use. */
public enum Fact {
    /** {@code file}, {@code dir}, {@code cdir}, {@code pdir} and others. */
    TYPE("Type"),
    /** Length in bytes. */
    SIZE("Size"),
    /** Time of the last change of its bytes. */
    MODIFY("Modify"),
    /** What the user may do with it. */
    PERM("Perm"),
    /** Permission bits in octal. */
    UNIX_MODE("UNIX.mode"),
    /** Name of its owner. */
    UNIX_OWNER("UNIX.owner"),
    /** Number of its owner. */
    UNIX_UID("UNIX.uid"),
    /** Name of its group. */
    UNIX_GROUP("UNIX.group"),
    /** Number of its group. */
    UNIX_GID("UNIX.gid"),
    /** The same for two names of the same file. */
    UNIQUE("Unique"),
    /** Where a symbolic link points. */
    UNIX_SLINK("UNIX.slink");

    private static final Map<String, Fact> BY_TEXT =
            Arrays.stream(values()).collect(Collectors.toMap(Fact::text, Function.identity()));

    private static final Map<String, Fact> BY_NAME = Arrays.stream(values())
            .collect(Collectors.toMap(fact -> fact.text.toLowerCase(Locale.ROOT), Function.identity()));

    private final String text;

    Fact(String text) {
        this.text = text;
    }

    /** Returns the name as it is sent. */
    public String text() {
        return text;
    }

    /** Returns the fact of a name in any case. */
    public static Optional<Fact> of(String name) {
        // as most servers write it, many times in a listing
        Fact asWritten = BY_TEXT.get(name);
        return asWritten != null
                ? Optional.of(asWritten)
                : Optional.ofNullable(BY_NAME.get(name.strip().toLowerCase(Locale.ROOT)));
    }

    /**
     * Returns the facts of a list such as {@code type;size;}; what nobody knows is left out. Clients that send back what FEAT
     * offered leave its stars in.
     */
    public static Set<Fact> selection(String names) {
        Set<Fact> facts = EnumSet.noneOf(Fact.class);
        for (String name : names.toLowerCase(Locale.ROOT).split("[*;\\s]+", -1)) {
            of(name).ifPresent(facts::add);
        }
        return facts;
    }

    /** Returns the list for FEAT, chosen facts with a star. */
    public static String offer(Set<Fact> chosen) {
        return EnumSet.allOf(Fact.class).stream()
                .map(fact -> fact.text + (chosen.contains(fact) ? "*;" : ";"))
                .collect(Collectors.joining());
    }
}
