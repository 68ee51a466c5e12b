package io.longhaul.cli.option;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class NearestKeyTest {
    private static final List<String> KNOWN = List.of("data", "listen", "listen-core", "users", "backlog-limit");

    @ParameterizedTest
    @CsvSource({
        "dat,data",
        "lisetn,listen",
        "listen_core,listen-core",
        "user,users",
        "backloglimit,backlog-limit",
        "backlog,backlog-limit"
    })
    void shouldFindWordWhenItWasMistyped(String typed, String meant) {
        // then
        assertThat(NearestKey.of(typed, KNOWN)).contains(meant);
    }

    @ParameterizedTest
    @ValueSource(strings = {"password", "x", "dta-dir", ""})
    void shouldNameAllKnownWordsWhenNoneIsNear(String typed) {
        // then
        assertThat(NearestKey.of(typed, KNOWN)).isEmpty();
        assertThat(NearestKey.hint(typed, KNOWN))
                .isEqualTo("; expected one of backlog-limit, data, listen, listen-core, users");
    }

    @ParameterizedTest
    @CsvSource({"abc,abc,0", "abc,acb,1", "abc,ab,1", "abc,abcd,1", "abc,xbc,1", "'',abc,3", "kitten,sitting,3"})
    void shouldCountEditsWhenWordsDiffer(String a, String b, int edits) {
        // then
        assertThat(NearestKey.distance(a, b)).isEqualTo(edits);
    }

    @Test
    void shouldFindNothingWhenNothingIsKnown() {
        // then
        assertThat(NearestKey.of("x", List.of())).isEmpty();
    }
}
