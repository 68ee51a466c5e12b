package io.longhaul.cli.terminal;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** How logs, notices and failures stand on standard error: for people, or as one JSON object a line. */
public enum LogForm {
    TEXT,
    JSON;

    /** Whom a command's own lines come from. */
    private static final String COMMAND = "longhaul";

    private static final DateTimeFormatter UTC =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    /**
     * What a line of a log tells.
     *
     * @param exception class, message and perhaps stack of what was thrown; empty for nothing
     */
    public record Entry(Instant time, String level, String logger, String thread, String message, String exception) {
        /** Returns the object, whatever is in its texts in one line. */
        public String json() {
            JsonLine line = JsonLine.blank()
                    .with("time", UTC.format(time))
                    .with("level", level)
                    .with("logger", logger)
                    .with("thread", thread)
                    .with("message", message);
            return (exception.isEmpty() ? line : line.with("exception", exception)).toString();
        }
    }

    /** Returns what the command itself says now, with the stack of a failure or without. */
    public String line(String level, String message, String exception) {
        if (this == JSON) {
            String thread = Thread.currentThread().getName();
            return new Entry(Instant.now(), level, COMMAND, thread, message, exception).json();
        }
        return exception.isEmpty() ? message : exception.stripTrailing() + System.lineSeparator() + message;
    }
}
