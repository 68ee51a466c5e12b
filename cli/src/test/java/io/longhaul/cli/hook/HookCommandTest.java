package io.longhaul.cli.hook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HookCommandTest {

    @Test
    void shouldSplitAtBlanksWhenNothingIsQuoted() {
        // then
        assertThat(HookCommand.parse("  mv  -n\tx ").words()).containsExactly("mv", "-n", "x");
    }

    @Test
    void shouldKeepBlanksWhenQuoted() {
        // then
        assertThat(HookCommand.parse("a 'b c' \"d 'e' f\" g\\ h 'i\\j' \"k\\\"l\" ''")
                        .words())
                .containsExactly("a", "b c", "d 'e' f", "g h", "i\\j", "k\"l", "");
    }

    @Test
    void shouldLeaveShellSyntaxAloneWhenItIsThere() {
        // then
        assertThat(HookCommand.parse("echo $HOME | cat > x; rm * `id`").words())
                .containsExactly("echo", "$HOME", "|", "cat", ">", "x;", "rm", "*", "`id`");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "   ", "a 'b", "a \"b"})
    void shouldRefuseWhenThereIsNothingOrAnOpenQuote(String text) {
        // then
        assertThatThrownBy(() -> HookCommand.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldPutPathLastWhenNoWordAsksForIt() {
        // when
        List<String> arguments = HookCommand.parse("touch -r {name}").arguments(Map.of("path", "/x y", "name", "n"));

        // then
        assertThat(arguments).containsExactly("touch", "-r", "n", "/x y");
    }

    @Test
    void shouldReplaceOnceWhenValueLooksLikePlaceholder() {
        // when
        List<String> arguments = HookCommand.parse("do --in={path} {unknown} {")
                .arguments(Map.of("path", "{name} 'x' \"y\"", "name", "n"));

        // then
        assertThat(arguments).containsExactly("do", "--in={name} 'x' \"y\"", "{unknown}", "{");
    }
}
