package io.longhaul.ptcp.artemis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class PtcpParametersTest {
    @Test
    void shouldReadWhatItWroteWhenEverythingIsSet() {
        // given
        PtcpParameters parameters =
                new PtcpParameters("there", 4711, 4, true, "/ca.pem", "/own.pem", false, "http://proxy:3128");

        // when
        Map<String, Object> map = parameters.map();

        // then
        assertThat(PtcpParameters.of(map)).isEqualTo(parameters);
        assertThat(map.keySet()).isEqualTo(PtcpParameters.KEYS);
    }

    @Test
    void shouldHaveDefaultsWhenNothingIsSet() {
        assertThat(PtcpParameters.of(Map.of()))
                .isEqualTo(new PtcpParameters("localhost", 0, 0, false, "", "", true, ""));
    }

    @Test
    void shouldNameTheKeyWhenANumberIsNone() {
        assertThatThrownBy(() -> PtcpParameters.of(Map.of("port", "x")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("port: expected a whole number, found x");
    }
}
