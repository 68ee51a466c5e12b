package io.longhaul.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

final class ConfigFileTest {
    private final CommandSpec command = CommandSpec.create()
            .name("sample")
            .addOption(OptionSpec.builder("-n", "--name").type(String.class).build())
            .addOption(OptionSpec.builder("--backlog-limit").type(long.class).build())
            .addOption(OptionSpec.builder("--spool").type(boolean.class).build())
            .addOption(OptionSpec.builder("--verify-host")
                    .type(boolean.class)
                    .arity("1")
                    .build())
            .addOption(OptionSpec.builder("--subscribe")
                    .type(List.class)
                    .auxiliaryTypes(String.class)
                    .build())
            .addOption(OptionSpec.builder("--config").type(String.class).build());

    @TempDir
    private Path directory;

    private List<String> arguments(String yaml, String... given) throws IOException {
        return ConfigFile.arguments(Files.writeString(directory.resolve("c.yaml"), yaml), command, List.of(given));
    }

    @Test
    void shouldBecomeArgumentsWhenKeysAreKnown() throws IOException {
        // when
        List<String> arguments = arguments("name: a b\nbacklog-limit: 7\nspool: true\nsubscribe: [x, y]\n");

        // then
        assertThat(arguments)
                .containsExactly("--name=a b", "--backlog-limit=7", "--spool", "--subscribe=x", "--subscribe=y");
    }

    @Test
    void shouldTakeWhatLooksLikeANumberAsItStandsThere() throws IOException {
        // then
        assertThat(arguments("name: 2026.10\nbacklog-limit: 007\nsubscribe: [1e3, 0x1F, 1_000]\n"))
                .containsExactly(
                        "--name=2026.10",
                        "--backlog-limit=007",
                        "--subscribe=1e3",
                        "--subscribe=0x1F",
                        "--subscribe=1_000");
    }

    @Test
    void shouldAskForQuotesWhenTextLooksLikeTrueOrFalse() throws IOException {
        // then
        assertThatThrownBy(() -> arguments("name: no\n"))
                .hasMessageContaining("'name': expected text, found yes or no, true or false; put it in quotes");
        assertThatThrownBy(() -> arguments("subscribe: [a, on]\n")).hasMessageContaining("'subscribe': expected text");
        assertThat(arguments("name: 'no'\n")).containsExactly("--name=no");
    }

    @Test
    void shouldTakeTrueAndFalseWhereTheyAreTheValue() throws IOException {
        // then
        assertThat(arguments("verify-host: false\n")).containsExactly("--verify-host=false");
        assertThat(arguments("verify-host: yes\n")).containsExactly("--verify-host=true");
        assertThat(arguments("verify-host: 'false'\n")).containsExactly("--verify-host=false");
    }

    @Test
    void shouldRefuseAnAliasInsteadOfTakingItsName() {
        // then
        assertThatThrownBy(() -> arguments("name: &n site\nsubscribe: *n\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("line 2")
                .hasMessageContaining("found the alias *n");
    }

    @Test
    void shouldSayNothingWhenAllOfItAreComments() throws IOException {
        // then
        assertThat(arguments("# name: a\n")).isEmpty();
        assertThat(arguments("")).isEmpty();
        assertThat(arguments("---\n# name: a\n")).isEmpty();
    }

    @Test
    void shouldJoinKeyAndValueWhenListIsMapping() throws IOException {
        // then
        assertThat(arguments("subscribe:\n  climate.daily: /srv/c\n"))
                .containsExactly("--subscribe=climate.daily=/srv/c");
    }

    @Test
    void shouldJoinEverythingWhenAMappingHasMappings() throws IOException {
        // then
        assertThat(arguments("subscribe:\n  climate.*: {rate: 50MiB, transfers: 4}\n"))
                .containsExactly("--subscribe=climate.*=rate=50MiB,transfers=4");
        assertThatThrownBy(() -> arguments("subscribe:\n  x: {a: {b: 1}}\n")).hasMessageContaining("a single value");
    }

    @Test
    void shouldLeaveOptionOutWhenCommandLineNamesIt() throws IOException {
        // then
        assertThat(arguments("name: file\nspool: false\n", "-n", "line")).isEmpty();
        assertThat(arguments("name: file\n", "--name=line")).isEmpty();
    }

    @Test
    void shouldRefuseNamingKeyAndLineWhenKeyIsThereTwice() {
        // then
        assertThatThrownBy(() -> arguments("name: a\nspool: true\nname: b\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("line 3")
                .hasMessageContaining("'name'");
    }

    @Test
    void shouldRefuseWhenASecondDocumentFollows() {
        // then
        assertThatThrownBy(() -> arguments("name: a\n---\nspool: true\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("c.yaml: not valid YAML at line");
    }

    @Test
    void shouldSaySoWhenItIsNoText() throws IOException {
        // given
        Path bytes = Files.write(directory.resolve("bytes.yaml"), new byte[] {'a', (byte) 0xff});

        // then
        assertThatThrownBy(() -> ConfigFile.arguments(bytes, command, List.of()))
                .hasMessage(bytes + ": expected text in UTF-8, found other bytes");
    }

    @Test
    void shouldNameNearestKeyWhenKeyIsUnknown() {
        // then
        assertThatThrownBy(() -> arguments("backlog_limit: 7\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("unknown key 'backlog_limit' for sample")
                .hasMessageEndingWith("; the nearest is 'backlog-limit'");
    }

    @Test
    void shouldNameAllKeysWhenNoneIsNearTheUnknownOne() {
        // then
        assertThatThrownBy(() -> arguments("password: x\n"))
                .hasMessageEndingWith(
                        "unknown key 'password' for sample; expected one of backlog-limit, name, spool, subscribe, verify-host");
    }

    @Test
    void shouldRefuseWhenFileNamesAnotherFile() {
        // then
        assertThatThrownBy(() -> arguments("config: other.yaml\n")).hasMessageContaining("unknown key 'config'");
    }

    @Test
    void shouldNameKeyWhenValueHasWrongShape() {
        // then
        assertThatThrownBy(() -> arguments("name: [a, b]\n")).hasMessageContaining("'name': expected a single value");
        assertThatThrownBy(() -> arguments("name:\n")).hasMessageContaining("'name': expected a single value");
        assertThatThrownBy(() -> arguments("subscribe:\n"))
                .hasMessageContaining("'subscribe': expected a value or a list of them, found none");
        assertThatThrownBy(() -> arguments("subscribe: {a: {}}\n"))
                .hasMessageContaining("'subscribe.a': expected a single value, found an empty mapping");
        assertThatThrownBy(() -> arguments("subscribe: {a: {b: [c]}}\n"))
                .hasMessageContaining("'subscribe.a.b': expected a single value, found a list");
        assertThatThrownBy(() -> arguments("spool: yes please\n")).hasMessageContaining("expected true or false");
    }

    @Test
    void shouldNameLineWhenYamlIsBroken() {
        // then
        assertThatThrownBy(() -> arguments("name: a\n  b: [\n")).hasMessageContaining("not valid YAML at line");
        assertThatThrownBy(() -> arguments("just words")).hasMessageContaining("expected YAML");
    }

    private String refusal(String yaml) {
        Throwable refusal = catchThrowable(() -> arguments(yaml));
        assertThat(refusal).isInstanceOf(IllegalArgumentException.class);
        return refusal.getMessage().substring(directory.toString().length());
    }

    @Test
    void shouldTellInOneLineWhatIsWrongAndWhereWhenYamlIsBroken() {
        // then
        assertThat(refusal("name: [a, b\nspool: true\n"))
                .isEqualTo("/c.yaml: not valid YAML at line 2, column 6: expected ',' or ']', found :"
                        + " while parsing a flow sequence");
        assertThat(refusal("name: a: b\n"))
                .isEqualTo("/c.yaml: not valid YAML at line 1, column 8: mapping values are not allowed here");
        assertThat(refusal("name: a\nspool\n"))
                .isEqualTo("/c.yaml: not valid YAML at line 3, column 1: could not find expected ':'"
                        + " while scanning a simple key");
        assertThat(refusal("name: \u0007\n"))
                .contains("not valid YAML at line ")
                .doesNotContain("\n");
    }

    @Test
    void shouldNameFileWhenItIsMissing() {
        // given
        Path missing = directory.resolve("none.yaml");

        // then
        assertThatThrownBy(() -> ConfigFile.arguments(missing, command, List.of()))
                .hasMessage(missing + ": no such configuration file");
    }
}
