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
    private final PrintStream out;
    private final ErrorStream err;
    private final Supplier<Screen> screen;
    private final LongSupplier nanoTime;
    private final boolean json;
    private final boolean quiet;
    private final LogForm form;

    /** Guarded by this. */
    private final ProgressBoard board = new ProgressBoard();

    /** Guarded by this. */
    private boolean progressEnded;

    public Console(
            PrintStream out,
            ErrorStream err,
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
        err.clear();
        out.println(json ? object.toString() : text);
        out.flush();
    }

    /** Prints a line that only people want, so not with {@code --json}. */
    public synchronized void print(String line) {
        if (!json) {
            err.clear();
            out.println(line);
            out.flush();
        }
    }

    /** Prints an object that only programs want, so with {@code --json} only. */
    public synchronized void event(JsonLine object) {
        if (json) {
            err.clear();
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
        err.println(form.line(level, line, ""));
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
        err.draw(board.bars(size.columns() - 1, size.rows()));
    }

    /** Takes the progress lines away; a tick that comes late shows nothing either. */
    public synchronized void endProgress() {
        err.clear();
        progressEnded = true;
    }
}
