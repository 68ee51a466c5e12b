package io.longhaul.it.bench.contender;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Milliseconds of logins, and of a command that looks at a file.
 *
 * @param logins each of a connection of its own
 * @param commands of one session, after others that were not counted
 */
public record FtpLatency(List<Double> logins, List<Double> commands) {

    /** How often what is done. */
    public record Counts(int logins, int uncounted, int commands) {}

    /** Takes the URL of a server's directory, and the path of a file as the server knows it. */
    public static FtpLatency of(String url, String path, Counts counts) throws IOException {
        FtpLatency found = new FtpLatency(new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < counts.logins(); i++) {
            long before = System.nanoTime();
            FtpSession.login(url).close();
            found.logins.add(milliseconds(before));
        }
        try (FtpSession session = FtpSession.login(url)) {
            for (int i = 0; i < counts.uncounted() + counts.commands(); i++) {
                long before = System.nanoTime();
                session.ask("MLST " + path, "250");
                if (i >= counts.uncounted()) {
                    found.commands.add(milliseconds(before));
                }
            }
        }
        return found;
    }

    private static double milliseconds(long sinceNs) {
        return (System.nanoTime() - sinceNs) / 1e6;
    }

    /** Measures where it is run; takes URL, path and the three counts, prints a line for each login and command. */
    public static void main(String[] arguments) throws IOException {
        Counts counts = new Counts(
                Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]), Integer.parseInt(arguments[4]));
        FtpLatency found = of(arguments[0], arguments[1], counts);
        found.logins.forEach(each -> System.out.printf(Locale.ROOT, "login %.3f%n", each));
        found.commands.forEach(each -> System.out.printf(Locale.ROOT, "command %.3f%n", each));
    }
}
