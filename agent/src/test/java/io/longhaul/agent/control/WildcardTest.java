package io.longhaul.agent.control;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WildcardTest {
    @ParameterizedTest
    @CsvSource({
        "a.nc,a.nc,true",
        "a.nc,b/a.nc,false",
        "*.nc,b/a.nc,true",
        "2026/*.nc,2026/11/a.nc,true",
        "2026/*.nc,2025/11/a.nc,false",
        "*a*b*,xxaxxbxx,true",
        "*a*b*,xxbxxaxx,false",
        "ab*ba,aba,false",
        "ab*ba,abba,true",
        "*,any,true",
        "[a].nc,a.nc,false"
    })
    void shouldMatchWholeNamesWhenStarsStandForAnyCharacters(String pattern, String name, boolean expected) {
        assertThat(new Wildcard(pattern).matches(name)).isEqualTo(expected);
    }
}
