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
    private static final String WITHOUT_WRAP = "\033[?7l";
    private static final String WITH_WRAP = "\033[?7h";

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
        StringBuilder frame = new StringBuilder();
        if (drawn > 0) {
            // from the first column: the cursor stands behind what the terminal echoes, as ^C
            frame.append("\r\033[").append(drawn).append("A\033[J");
        }
        // cut where the terminal has become narrow: of a line that is wrapped a part would stay
        lines.forEach(line ->
                frame.append(WITHOUT_WRAP).append(line).append(WITH_WRAP).append('\n'));
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
