package io.longhaul.cli;

import io.longhaul.cli.terminal.Shown;
import io.longhaul.storage.StorageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.nio.file.FileSystemException;
import java.util.concurrent.CompletionException;

/** A failure as one line for a person. */
final class Failures {
    private Failures() {}

    /** Returns the message; for a failure without a good one, its kind too. Never more than one line. */
    static String line(Throwable failure) {
        if (failure instanceof CompletionException && failure.getCause() != null) {
            return line(failure.getCause());
        }
        String message = failure.getMessage() == null ? "" : failure.getMessage();
        String text = message;
        if (failure instanceof UncheckedIOException && failure.getCause() instanceof IOException cause) {
            text = message + ": " + reason(message, cause);
        } else if (isUnexpected(failure)) {
            text = "unexpected " + failure.getClass().getSimpleName() + (message.isEmpty() ? "" : ": " + message)
                    + " (run it again with --debug for details)";
        }
        return text.lines()
                .map(Failures::printable)
                .reduce((a, b) -> a + "; " + b)
                .orElse("");
    }

    /** The message may be about another file than the one that failed. */
    private static String reason(String message, IOException cause) {
        String file = cause instanceof FileSystemException failure ? failure.getFile() : null;
        return (file == null || message.startsWith(file + ":") ? "" : file + ": ") + StorageException.reason(cause);
    }

    private static boolean isUnexpected(Throwable failure) {
        return failure.getMessage() == null
                || !failure.getClass().getName().startsWith("io.longhaul.")
                        && !(failure instanceof IllegalArgumentException)
                        && !(failure instanceof BindException); // says what cannot be listened on, and why
    }

    /** Messages quote names themselves; what slipped through must not reach the terminal raw. */
    private static String printable(String line) {
        StringBuilder out = new StringBuilder();
        line.codePoints()
                .forEach(c -> out.append(
                        c == '"' || c == '\\' ? Character.toString(c) : Shown.escaped(Character.toString(c))));
        return out.toString();
    }
}
