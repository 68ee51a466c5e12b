package io.longhaul.ptcp.net;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Logger;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/** The log of this module's tests: keeps lines from INFO on for tests that count them, others apart, and prints warnings. */
public final class RecordedLog implements SLF4JServiceProvider {
    private static final int MOST_LINES = 100_000;
    private static final String OWN = "io.longhaul.";
    private static final Queue<Line> LINES = new ConcurrentLinkedQueue<>();
    private static final Queue<String> DETAILS = new ConcurrentLinkedQueue<>();

    /** What was logged; the kind is the logger with the line's pattern, without its values. */
    record Line(String kind, String text) {}

    /** Forgets all lines. */
    public static void clear() {
        LINES.clear();
        DETAILS.clear();
    }

    /** Returns what was logged for debugging. */
    public static List<String> details() {
        return List.copyOf(DETAILS);
    }

    /** Returns what was logged from INFO on. */
    public static List<String> texts() {
        return LINES.stream().map(Line::text).toList();
    }

    static List<Line> lines() {
        return List.copyOf(LINES);
    }

    private static final class Recorder extends LegacyAbstractLogger {
        private static final long serialVersionUID = 1L;

        private Recorder(String name) {
            this.name = name;
        }

        @Override
        public boolean isTraceEnabled() {
            return false;
        }

        @Override
        public boolean isDebugEnabled() {
            return name.startsWith(OWN);
        }

        @Override
        public boolean isInfoEnabled() {
            return true;
        }

        @Override
        public boolean isWarnEnabled() {
            return true;
        }

        @Override
        public boolean isErrorEnabled() {
            return true;
        }

        @Override
        protected @Nullable String getFullyQualifiedCallerName() {
            return null;
        }

        @Override
        protected void handleNormalizedLoggingCall(
                Level level,
                @Nullable Marker marker,
                String pattern,
                @Nullable Object[] values,
                @Nullable Throwable cause) {
            String text = MessageFormatter.basicArrayFormat(pattern, values) + (cause == null ? "" : " " + cause);
            if (level == Level.DEBUG) {
                if (DETAILS.size() < MOST_LINES) {
                    DETAILS.add(text);
                }
            } else if (LINES.size() < MOST_LINES) {
                LINES.add(new Line(name + " " + pattern, text));
            }
            if (level.toInt() >= Level.WARN.toInt()) {
                System.err.println(level + " " + name + ": " + text);
            }
        }
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return RecordedLog::logger;
    }

    private static Logger logger(String name) {
        return new Recorder(name);
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return new BasicMarkerFactory();
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return new NOPMDCAdapter();
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0.99";
    }

    @Override
    public void initialize() {}
}
