package io.longhaul.gridftp.command;

import io.longhaul.gridftp.spi.Entry;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/** Entries as {@code ls -l} shows them, which is what clients have learned to read from LIST. */
final class LongLine {
    private static final String LETTERS = "rwxrwxrwx";
    private static final Duration RECENT = Duration.ofDays(182);
    private static final DateTimeFormatter OF_THIS_YEAR = DateTimeFormatter.ofPattern("MMM dd HH:mm", Locale.ENGLISH);
    private static final DateTimeFormatter OLDER = DateTimeFormatter.ofPattern("MMM dd  uuuu", Locale.ENGLISH);

    private LongLine() {}

    static String of(Entry entry, String name, Instant now) {
        Optional<Entry.Unix> unix = entry.unix();
        int mode = unix.map(Entry.Unix::mode).orElse(entry.isDirectory() ? 0755 : 0644);
        Optional<String> target = unix.flatMap(Entry.Unix::linkTarget);
        return String.format(
                Locale.ROOT,
                "%s%s %3d %-8s %-8s %12d %s %s",
                target.isPresent() ? "l" : entry.isDirectory() ? "d" : "-",
                letters(mode),
                unix.map(Entry.Unix::links).orElse(1),
                unix.map(Entry.Unix::owner).orElse("ftp"),
                unix.map(Entry.Unix::group).orElse("ftp"),
                entry.length(),
                time(entry.modified(), now),
                name + target.map(link -> " -> " + link).orElse(""));
    }

    private static String letters(int mode) {
        StringBuilder letters = new StringBuilder();
        for (int i = 0; i < LETTERS.length(); i++) {
            boolean set = (mode >> LETTERS.length() - 1 - i & 1) == 1;
            letters.append(set ? LETTERS.charAt(i) : '-');
        }
        return letters.toString();
    }

    private static String time(Instant modified, Instant now) {
        boolean recent = modified.isAfter(now.minus(RECENT)) && !modified.isAfter(now.plus(Duration.ofDays(1)));
        return (recent ? OF_THIS_YEAR : OLDER).format(modified.atOffset(ZoneOffset.UTC));
    }
}
