package io.longhaul.cli.terminal;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The size of the terminal that standard error goes to.
 *
 * @param columns characters in a line; 0 when standard error is no terminal
 * @param rows lines
 */
public record Screen(int columns, int rows) {
    private static final Screen NONE = new Screen(0, 0);
    private static final Screen USUAL = new Screen(80, 24);

    /** No terminal. */
    public static Screen none() {
        return NONE;
    }

    public boolean isTerminal() {
        return columns > 0;
    }

    /** Returns the size now, asking the system where it can be asked; a terminal of unknown size counts as 80 by 24. */
    public static Screen ofStandardError(Map<String, String> environment) {
        if ("dumb".equals(environment.get("TERM")) || !errorIsTerminal()) {
            return NONE;
        }
        return asked();
    }

    /** Java cannot say whether one stream is a terminal; on Linux the name of the open file can, elsewhere it is none. */
    private static boolean errorIsTerminal() {
        try {
            Path target = Files.readSymbolicLink(Path.of("/proc/self/fd/2"));
            return target.startsWith("/dev/pts")
                    || target.toString().startsWith("/dev/tty")
                    || target.equals(Path.of("/dev/console"));
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    private static Screen asked() {
        try {
            Process process = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
            process.waitFor(1, TimeUnit.SECONDS);
            String[] parts = answer.split(" ");
            int columns = parts.length == 2 ? Integer.parseInt(parts[1]) : 0;
            return columns > 0 ? new Screen(columns, Math.max(2, Integer.parseInt(parts[0]))) : USUAL;
        } catch (IOException | NumberFormatException e) {
            return USUAL;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return USUAL;
        }
    }
}
