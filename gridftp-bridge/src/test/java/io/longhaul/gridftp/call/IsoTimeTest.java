package io.longhaul.gridftp.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Times in answers: the same as the JDK reads them. */
final class IsoTimeTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "2001-02-03T04:05:06Z",
                "2001-02-03T04:05:00Z",
                "2001-02-03T04:05:06.789Z",
                "1000-01-01T00:00:00Z",
                "9999-12-31T23:59:59Z",
                "9999-12-31T23:59:59.999999999Z",
                "0999-12-31T23:59:59Z",
                "1969-12-31T23:59:59.500Z",
                "+10000-01-01T00:00:00Z",
                "-1000000000-01-01T00:00:00Z",
                "+1000000000-12-31T23:59:59.999999999Z"
            })
    void shouldReadWhatTheJdkWrites(String text) {
        Instant time = Instant.parse(text);

        assertThat(IsoTime.parse(time.toString())).isEqualTo(time);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2001-02-03T24:00:00Z",
                "2016-12-31T23:59:60Z",
                "2001-02-03t04:05:06z",
                "2001-02-03T04:05:06+01:00"
            })
    void shouldReadWhatElseTheJdkReads(String text) {
        assertThat(IsoTime.parse(text)).isEqualTo(Instant.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2001-02-30T04:05:06Z",
                "2001-02-03T25:05:06Z",
                "2001x02-03T04:05:06Z",
                "2001-02-03T04:05:06X",
                "2001-02-03T04:05:0\u0665Z",
                "-001-02-03T04:05:06Z"
            })
    void shouldRefuseWhatTheJdkRefuses(String text) {
        assertThatThrownBy(() -> Instant.parse(text)).isInstanceOf(DateTimeException.class);
        assertThatThrownBy(() -> IsoTime.parse(text)).isInstanceOf(DateTimeException.class);
    }
}
