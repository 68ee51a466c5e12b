package io.longhaul.gridftp.client;

import io.longhaul.gridftp.spi.Entry;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.Year;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lines of a listing for people, as {@code ls -l} prints them; for servers that have no other. Times are taken for UTC, and
 * those without a year for the last such day.
 *
 * <pre>
 *  -rw-r--r--    1 ftp      ftp          5242 Nov 21 19:47 rain.nc
 *  drwxr-xr-x    2 ftp      ftp          4096 Nov 21  2024 data
 *  lrwxrwxrwx    1 ftp      ftp             7 Nov 21 19:47 link -> rain.nc
 * </pre>
 */
public final class UnixListing {
    private static final Pattern LINE = Pattern.compile(
            "(?s)([-dlbcps])([-rwxsStT]{9})[.+@]? +[0-9]+ +(\\S+) +(\\S+) +([0-9]{1,18}) +([A-Z][a-z]{2}) +([0-9]{1,2}) +"
                    + "([0-9]{1,2}:[0-9]{2}|[0-9]{4}) (.+)");
    private static final List<String> MONTHS =
            List.of("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec");

    private UnixListing() {}

    /** Returns what a line tells of; empty for lines that tell of nothing. A link is of type OTHER. */
    public static Optional<Entry> parse(String line, Instant now) {
        Matcher words = LINE.matcher(line);
        if (!words.matches()) {
            return Optional.empty();
        }
        String kind = words.group(1);
        Entry.Type type = switch (kind) {
            case "-" -> Entry.Type.FILE;
            case "d" -> Entry.Type.DIRECTORY;
            case "l" -> Entry.Type.OTHER;
            default -> Entry.Type.SPECIAL;
        };
        String name = words.group(9);
        int arrow = name.indexOf(" -> ");
        boolean isLink = kind.equals("l") && arrow > 0;
        Entry.Unix unix = new Entry.Unix(
                mode(words.group(2)),
                1,
                words.group(3),
                0,
                words.group(4),
                0,
                "",
                isLink ? Optional.of(name.substring(arrow + " -> ".length())) : Optional.empty(),
                Optional.empty());
        return Optional.of(new Entry(
                isLink ? name.substring(0, arrow) : name,
                type,
                Long.parseLong(words.group(5)),
                time(words.group(6), Integer.parseInt(words.group(7)), words.group(8), now),
                true,
                Optional.of(unix)));
    }

    private static int mode(String letters) {
        int mode = 0;
        for (int i = 0; i < letters.length(); i++) {
            char letter = letters.charAt(i);
            mode = mode << 1 | (letter == '-' || letter == 'S' || letter == 'T' ? 0 : 1);
        }
        return mode;
    }

    private static Instant time(String month, int day, String timeOrYear, Instant now) {
        try {
            int number = MONTHS.indexOf(month) + 1;
            if (!timeOrYear.contains(":")) {
                return LocalDate.of(Integer.parseInt(timeOrYear), number, day)
                        .atStartOfDay()
                        .toInstant(ZoneOffset.UTC);
            }
            String[] clock = timeOrYear.split(":", -1);
            LocalTime time = LocalTime.of(Integer.parseInt(clock[0]), Integer.parseInt(clock[1]));
            int year = now.atOffset(ZoneOffset.UTC).getYear();
            if (number == 2 && day == 29 && !Year.isLeap(year)) {
                year--; // of the last months
            }
            Instant found = LocalDate.of(year, number, day).atTime(time).toInstant(ZoneOffset.UTC);
            return found.isAfter(now.plus(Duration.ofDays(1)))
                    ? LocalDate.of(year - 1, number, day).atTime(time).toInstant(ZoneOffset.UTC)
                    : found;
        } catch (DateTimeException e) {
            return Instant.EPOCH;
        }
    }
}
