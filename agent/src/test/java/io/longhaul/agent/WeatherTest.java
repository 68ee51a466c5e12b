package io.longhaul.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WeatherTest {
    private final List<String> lines = new ArrayList<>();

    @Test
    void shouldSayConnectedOnceWhenThereWasNoConnectionYet() {
        // given
        Weather weather = new Weather("b:1", false, lines::add);

        // when
        weather.reconnected();
        weather.disconnected("lost");
        weather.reconnected();

        // then
        assertThat(lines).containsExactly("connected to b:1", "lost; reconnecting", "reconnected to b:1");
    }

    @Test
    void shouldSayReconnectedWhenThereWasAConnection() {
        // when
        new Weather("b:1", true, lines::add).reconnected();

        // then
        assertThat(lines).containsExactly("reconnected to b:1");
    }
}
