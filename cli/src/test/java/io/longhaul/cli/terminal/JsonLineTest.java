package io.longhaul.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class JsonLineTest {

    @Test
    void shouldBeOneLineWhenTextHasBreaks() {
        // when
        String line = JsonLine.of("x").with("name", "a\nb\r\"c\"\u2028").toString();

        // then
        assertThat(line).isEqualTo("{\"event\":\"x\",\"name\":\"a\\nb\\r\\\"c\\\"\u2028\"}");
    }

    @Test
    void shouldKeepTypesWhenValuesDiffer() {
        // when
        String line = JsonLine.of("x")
                .with("long", Long.MAX_VALUE)
                .with("seconds", 1.23456)
                .with("flag", true)
                .with("list", List.of("a", 1))
                .with("map", Map.of("k", 2))
                .toString();

        // then
        assertThat(line)
                .isEqualTo("{\"event\":\"x\",\"long\":9223372036854775807,\"seconds\":1.235,\"flag\":true,"
                        + "\"list\":[\"a\",1],\"map\":{\"k\":2}}");
    }

    @Test
    void shouldKeepObjectWhenItWasRead() throws IOException {
        // given
        String read = "{\"event\":\"transfer\",\"detail\":{\"seconds\":{\"reading\":0.5}},\"bytes\":7}";

        // when
        String line = JsonLine.ofNode(new JsonMapper().readTree(read))
                .with("data", "/d")
                .toString();

        // then
        assertThat(line).isEqualTo(read.substring(0, read.length() - 1) + ",\"data\":\"/d\"}");
    }
}
