package io.longhaul.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.spi.FilterReply;
import io.longhaul.cli.terminal.LogForm;
import java.nio.charset.StandardCharsets;
import org.slf4j.LoggerFactory;

/**
 * Logs to standard error, one line an event, without stack traces unless asked for.
 *
 * <p>In code and not in XML because reading XML takes a third of the time of a short command. A file named by
 * {@code -Dlogback.configurationFile} wins. Amount and form come from the system properties {@value #AMOUNT} and
 * {@value #FORM}.
 */
public final class LogSetup extends ContextAwareBase implements Configurator {
    static final String AMOUNT = "longhaul.log";
    static final String FORM = "longhaul.log.form";

    /** An error to Artemis: a broker of a pair that comes back does not take the other one's place. It is meant to be so. */
    private static final String NO_FAILBACK = "AMQ224056:";

    /** How much is logged: Longhaul, the broker's and the network's machinery, stack traces. */
    enum Amount {
        QUIET("WARN", "ERROR", false),
        SERVER("INFO", "ERROR", false),
        VERBOSE("INFO", "WARN", false),
        DEBUG("DEBUG", "INFO", true);

        private final String own;
        private final String machinery;
        private final boolean traces;

        Amount(String own, String machinery, boolean traces) {
            this.own = own;
            this.machinery = machinery;
            this.traces = traces;
        }
    }

    /** Silences the broker's machinery during a start, whose failure its exception tells; not when verbose. */
    static void muteMachinery() {
        if (amount() == Amount.SERVER || amount() == Amount.QUIET) {
            machinery().setLevel(Level.OFF);
        }
    }

    /** Ends {@link #muteMachinery}. */
    static void unmuteMachinery() {
        machinery().setLevel(null);
    }

    private static Logger machinery() {
        return (Logger) LoggerFactory.getLogger("org.apache.activemq.artemis.core.server");
    }

    private static Amount amount() {
        return Amount.valueOf(System.getProperty(AMOUNT, Amount.QUIET.name()));
    }

    private static Filter<ILoggingEvent> without(String beginning) {
        return new Filter<>() {
            @Override
            public FilterReply decide(ILoggingEvent event) {
                return String.valueOf(event.getMessage()).startsWith(beginning)
                        ? FilterReply.DENY
                        : FilterReply.NEUTRAL;
            }
        };
    }

    private static PatternLayoutEncoder text(boolean traces) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setCharset(StandardCharsets.UTF_8);
        encoder.setPattern("%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level %logger{0} - %replace(%msg){'[\\r\\n]+', '; '}%n"
                + (traces ? "%ex" : "%nopex"));
        return encoder;
    }

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        if (System.getProperty("logback.configurationFile") != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        Amount amount = amount();
        Encoder<ILoggingEvent> encoder = LogForm.valueOf(System.getProperty(FORM, LogForm.TEXT.name())) == LogForm.JSON
                ? new JsonLogEncoder(amount.traces)
                : text(amount.traces);
        encoder.setContext(context);
        encoder.start();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setTarget("System.err");
        appender.setEncoder(encoder);
        appender.start();
        context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.toLevel(amount.machinery));
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(appender);
        if (amount == Amount.QUIET || amount == Amount.SERVER) {
            // The agent says itself what becomes of its connection.
            context.getLogger("org.apache.activemq.artemis.core.client").setLevel(Level.OFF);
            appender.addFilter(without(NO_FAILBACK));
        }
        // A line for each call of the broker's management; nobody can read that.
        context.getLogger("org.apache.activemq.audit").setLevel(Level.OFF);
        context.getLogger("io.longhaul").setLevel(Level.toLevel(amount.own));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
