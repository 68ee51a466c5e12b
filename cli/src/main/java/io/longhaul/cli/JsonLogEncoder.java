package io.longhaul.cli;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import io.longhaul.cli.terminal.LogForm;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Writes each event of the log as one JSON object in one line. Thread-safe. */
final class JsonLogEncoder extends EncoderBase<ILoggingEvent> {
    private static final byte[] NOTHING = {};
    private final boolean traces;

    /** Takes whether stack traces are written, or only what was thrown. */
    JsonLogEncoder(boolean traces) {
        this.traces = traces;
    }

    @Override
    public byte[] headerBytes() {
        return NOTHING;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        LogForm.Entry entry = new LogForm.Entry(
                Instant.ofEpochMilli(event.getTimeStamp()),
                event.getLevel().toString(),
                event.getLoggerName(),
                event.getThreadName(),
                event.getFormattedMessage(),
                exception(event.getThrowableProxy()));
        return (entry.json() + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private String exception(@Nullable IThrowableProxy thrown) {
        if (thrown == null) {
            return "";
        }
        return traces ? ThrowableProxyUtil.asString(thrown) : thrown.getClassName() + ": " + thrown.getMessage();
    }

    @Override
    public byte[] footerBytes() {
        return NOTHING;
    }
}
