package io.longhaul.cli.terminal;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Standard error: lines of progress stand at its end, and whatever else is written to it, logs too, goes above them.
 *
 * <p>May be used from any thread.
 */
public final class ErrorStream extends PrintStream {
    private static final String UP_AND_CLEAR = "\033[1A\033[2K";

    /** A line that is too long, for a terminal that has become narrow, is cut there: of a wrapped one a part would stay. */
    private static final String WITHOUT_WRAP = "\033[?7l%s\033[?7h\n";

    private int drawn; // guarded by this: lines of progress that stand at the end now

    /** Encodes as UTF-8. */
    public ErrorStream(OutputStream out) {
        super(out, true, StandardCharsets.UTF_8);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
        clear();
        super.write(bytes, offset, length);
    }

    /** Puts lines of progress in the place of those that stand there. */
    synchronized void draw(List<String> lines) {
        StringBuilder frame = new StringBuilder(UP_AND_CLEAR.repeat(drawn));
        lines.forEach(line -> frame.append(String.format(WITHOUT_WRAP, line)));
        // not printed: what clears may be in the middle of that
        byte[] bytes = frame.toString().getBytes(StandardCharsets.UTF_8);
        super.write(bytes, 0, bytes.length);
        drawn = lines.size();
    }

    /** Takes the lines of progress away. */
    synchronized void clear() {
        if (drawn > 0) {
            draw(List.of());
        }
    }
}
