package io.longhaul.cli.hook;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class CompletionHookTest {
    @Test
    void shouldGiveNoPasswordToTheProgram() {
        // given
        Map<String, String> environment = new HashMap<>(Map.of(
                "LONGHAUL_PASSWORD", "a",
                "LONGHAUL_PROXY_PASSWORD", "b",
                "LONGHAUL_LINK_PASSWORD", "c",
                "LONGHAUL_PATH", "/in/f",
                "PATH", "/bin"));

        // when
        CompletionHook.withoutSecrets(environment);

        // then
        assertThat(environment).containsOnlyKeys("LONGHAUL_PATH", "PATH");
    }
}
