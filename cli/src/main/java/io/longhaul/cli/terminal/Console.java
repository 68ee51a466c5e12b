package io.longhaul.cli.terminal;

import io.longhaul.agent.Progress;
import java.io.PrintStream;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The only one to write: results to standard output, everything else to standard error.
 *
 * <p>On a terminal the progress lines stand at the bottom; whatever else is written goes above them. May be used from
 * any thread.
 */
public final class Console {
    private static final String UP_AND_CLEAR = "\033[1A\033[2K";

    private final PrintStream out;
    private final PrintStream err;
    private final Supplier<Screen> screen;
    private final LongSupplier nanoTime;
    private final boolean json;
    private final boolean quiet;
    private final LogForm form;

    /** Guarded by this. */
    private final ProgressBoard board = new ProgressBoard();

    /** Lines of progress that stand on the terminal now; guarded by this. */
    private int drawn;

    /** Guarded by this. */
    private boolean progressEnded;

    public Console(
            PrintStream out,
            PrintStream err,
            Supplier<Screen> screen,
            LongSupplier nanoTime,
            boolean json,
            boolean quiet,
            LogForm form) {
        this.out = out;
        this.err = err;
        this.screen = screen;
        this.nanoTime = nanoTime;
        this.json = json;
        this.quiet = quiet;
        this.form = form;
    }

    /** Prints a result: the object with {@code --json}, the text otherwise. */
    public synchronized void result(String text, JsonLine object) {
        clear();
        out.println(json ? object.toString() : text);
        out.flush();
    }

    /** Prints a line that only people want, so not with {@code --json}. */
    public synchronized void print(String line) {
        if (!json) {
            clear();
            out.println(line);
            out.flush();
        }
    }

    /** Prints an object that only programs want, so with {@code --json} only. */
    public synchronized void event(JsonLine object) {
        if (json) {
            clear();
            out.println(object);
            out.flush();
        }
    }

    /** Says something that a person may want to know; not with {@code --quiet}. */
    public synchronized void say(String line) {
        if (!quiet) {
            write("INFO", line);
        }
    }

    /** Says something that a person must know. */
    public synchronized void warn(String line) {
        write("WARN", line);
    }

    private void write(String level, String line) {
        clear();
        err.println(form.line(level, line, ""));
        err.flush();
    }

    /** Shows where the transfers are: bars on a terminal, a line now and then elsewhere, nothing with {@code --quiet}. */
    public synchronized void progress(List<Progress> transfers) {
        if (quiet || progressEnded) {
            return;
        }
        long nowNs = nanoTime.getAsLong();
        board.update(transfers, nowNs);
        Screen size = screen.get();
        if (!size.isTerminal() || form == LogForm.JSON) {
            board.plain(nowNs).forEach(line -> write("INFO", line));
            return;
        }
        List<String> lines = board.bars(size.columns() - 1, size.rows());
        StringBuilder frame = new StringBuilder(UP_AND_CLEAR.repeat(drawn));
        lines.forEach(line -> frame.append(line).append('\n'));
        err.print(frame);
        err.flush();
        drawn = lines.size();
    }

    /** Takes the progress lines away; a tick that comes late shows nothing either. */
    public synchronized void endProgress() {
        clear();
        progressEnded = true;
    }

    private void clear() {
        if (drawn > 0) {
            err.print(UP_AND_CLEAR.repeat(drawn));
            err.flush();
            drawn = 0;
        }
    }
}
