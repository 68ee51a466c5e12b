package io.longhaul.gridftp.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NamePatternTest {
    @ParameterizedTest
    @CsvSource({
        "*, rain.nc, true",
        "*.nc, rain.nc, true",
        "*.nc, rain.ncx, false",
        "*.nc, .nc, false",
        ".*, .nc, true",
        "r??n.nc, rain.nc, true",
        "r??n.nc, r🌧n.nc, false",
        "r?n.nc, r🌧n.nc, true",
        "[a-c]x, bx, true",
        "[a-c]x, dx, false",
        "[!a-c]x, dx, true",
        "[^a-c]x, bx, false",
        "[]x]y, ]y, true",
        "[a-]y, -y, true",
        "a[1, a[1, true",
        "a[!, a[!, true",
        "\\*x, *x, true",
        "\\*x, ax, false",
        "*a*b*c, xaybzc, true",
        "*a*b*c, xaybzcd, false"
    })
    void shouldMatchAsShellsDo(String pattern, String name, boolean expected) {
        assertThat(new NamePattern(pattern).matches(name)).isEqualTo(expected);
    }

    @Test
    void shouldNotTakeLongWhenAPatternIsMeantTo() {
        NamePattern stars = new NamePattern("*a".repeat(127));
        NamePattern sets = new NamePattern("*[a-b".repeat(51));

        assertTimeoutPreemptively(Duration.ofSeconds(60), () -> {
            assertThat(stars.matches("a".repeat(254) + "b")).isFalse();
            assertThat(sets.matches("a".repeat(255))).isFalse();
        });
        assertThat(NamePattern.isOne("*".repeat(256))).isFalse();
    }
}
