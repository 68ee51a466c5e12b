package io.longhaul.cli.terminal;

import java.util.Locale;

/** Bytes, rates and times in the form that people read. */
public final class Amounts {
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

    private static final String[] BIT_UNITS = {"bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"};

    private Amounts() {}

    /** Returns three or four digits with a unit that counts in 1024s: {@code 0 B}, {@code 64.0 MiB}, {@code 1023 KiB}. */
    public static String bytes(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= 1023.5 && unit < UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        String form = unit == 0 || value >= 99.95 ? "%.0f %s" : "%.1f %s";
        return String.format(Locale.ROOT, form, value, UNITS[unit]);
    }

    /** Returns how many there are of a thing whose plural ends in s: {@code 1 stream}, {@code 4 streams}. */
    public static String count(long number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }

    /** Returns bytes a second. */
    public static String rate(double bytesPerSecond) {
        return bytes((long) bytesPerSecond) + "/s";
    }

    /** Returns bits a second with a unit that counts in 1000s, as network rates do: {@code 9.43 Gbit/s}. */
    public static String bitRate(double bitsPerSecond) {
        double value = bitsPerSecond;
        int unit = 0;
        while (value >= 999.5 && unit < BIT_UNITS.length - 1) {
            value /= 1000;
            unit++;
        }
        return String.format(Locale.ROOT, "%.2f %s", value, BIT_UNITS[unit]);
    }

    /** Returns hours, minutes and seconds: {@code 0:07}, {@code 12:30}, {@code 3:02:11}; more than 99 hours as days. */
    public static String clock(long seconds) {
        if (seconds >= 99 * 3600L) {
            return seconds / 86_400 + " d";
        }
        return seconds < 3600
                ? String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60)
                : String.format(Locale.ROOT, "%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
    }

    /** Returns seconds with two digits: {@code 0.52 s}. */
    public static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.2f s", seconds);
    }
}
