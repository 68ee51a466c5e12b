package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.longhaul.cli.terminal.LogForm;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class LogSetupTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private final PrintStream before = System.err;
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final LoggerContext context = new LoggerContext();

    private Logger logger(LogSetup.Amount amount, LogForm form) {
        System.setProperty(LogSetup.AMOUNT, amount.name());
        System.setProperty(LogSetup.FORM, form.name());
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        context.setMDCAdapter(new LogbackMDCAdapter());
        new LogSetup().configure(context);
        return context.getLogger("io.longhaul.broker.Place");
    }

    @AfterEach
    void restore() {
        context.stop();
        System.setErr(before);
        System.clearProperty(LogSetup.AMOUNT);
        System.clearProperty(LogSetup.FORM);
    }

    private List<String> lines() {
        return err.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private List<JsonNode> objects() throws Exception {
        List<JsonNode> objects = new ArrayList<>();
        for (String line : lines()) {
            objects.add(JSON.readTree(line));
        }
        return objects;
    }

    private static List<String> members(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    @Test
    void shouldBeginWithDateTimeAndOffsetWhenLogsAreText() {
        // when
        logger(LogSetup.Amount.SERVER, LogForm.TEXT).warn("first\nsecond", new IllegalStateException("why"));

        // then
        assertThat(lines()).singleElement().asString().endsWith(" WARN  Place - first; second");
        Instant time = OffsetDateTime.parse(
                        lines().get(0).substring(0, lines().get(0).indexOf(' ')))
                .toInstant();
        assertThat(Duration.between(time, Instant.now()).abs()).isLessThan(Duration.ofMinutes(5));
    }

    @Test
    void shouldWriteOneObjectForEachEventWhenLogsAreJson() throws Exception {
        // given
        Logger logger = logger(LogSetup.Amount.SERVER, LogForm.JSON);

        // when
        logger.info("plain {}", 1);
        logger.warn("first\nsecond \"quoted\" \u0007", new IllegalStateException("why\nnot"));
        logger.debug("not asked for");

        // then
        assertThat(objects()).hasSize(2);
        JsonNode plain = objects().get(0);
        assertThat(members(plain)).containsExactly("time", "level", "logger", "thread", "message");
        assertThat(plain.get("time").asText()).endsWith("Z");
        assertThat(Duration.between(Instant.parse(plain.get("time").asText()), Instant.now())
                        .abs())
                .isLessThan(Duration.ofMinutes(5));
        assertThat(plain.get("level").asText()).isEqualTo(Level.INFO.toString());
        assertThat(plain.get("logger").asText()).isEqualTo("io.longhaul.broker.Place");
        assertThat(plain.get("thread").asText())
                .isEqualTo(Thread.currentThread().getName());
        assertThat(plain.get("message").asText()).isEqualTo("plain 1");
        JsonNode failed = objects().get(1);
        assertThat(failed.get("message").asText()).isEqualTo("first\nsecond \"quoted\" \u0007");
        assertThat(failed.get("exception").asText()).isEqualTo("java.lang.IllegalStateException: why\nnot");
    }

    @Test
    void shouldNotCallItAnErrorThatABrokerOfAPairComesBackAsTheBackup() {
        // given
        logger(LogSetup.Amount.SERVER, LogForm.TEXT);
        Logger machinery = context.getLogger("org.apache.activemq.artemis.core.server");

        // when
        machinery.error("AMQ224056: Primary server will not fail-back automatically");
        machinery.error("AMQ222010: Critical IO Error");

        // then
        assertThat(lines()).singleElement().asString().contains("AMQ222010");
    }

    @Test
    void shouldHaveTheStackInOneLineWhenItIsAskedFor() throws Exception {
        // when
        logger(LogSetup.Amount.DEBUG, LogForm.JSON).error("failed", new IllegalStateException("why"));

        // then
        assertThat(objects())
                .singleElement()
                .satisfies(object -> assertThat(object.get("exception").asText())
                        .startsWith("java.lang.IllegalStateException: why")
                        .contains("\n\tat io.longhaul.cli.LogSetupTest"));
    }
}
