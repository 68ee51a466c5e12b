package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.client.Credentials;
import io.longhaul.gridftp.server.Logins;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LoginsFileTest {
    @TempDir
    private Path place;

    private Logins read(String text) throws IOException {
        return LoginsFile.read(Files.writeString(place.resolve("logins.yaml"), text));
    }

    @Test
    void shouldReadWhoIsWhoWhenPasswordsAreHereOrBesideIt() throws IOException {
        // given
        Files.writeString(place.resolve("alice.secret"), "apw\nmore\n");

        // when
        Logins logins = read("""
                users:
                  alice:
                    password-file: alice.secret
                  bob:
                    login: robert
                    password: 007
                  anonymous:
                    login: ftp
                default:
                  login: guest
                  password: gpw
                """);

        // then
        assertThat(logins.users())
                .containsOnlyKeys("alice", "bob", "anonymous")
                .containsEntry("alice", new Credentials("alice", "apw"))
                .containsEntry("bob", new Credentials("robert", "007"))
                .containsEntry("anonymous", Credentials.anonymous("ftp"));
        assertThat(logins.others()).contains(new Credentials("guest", "gpw"));
        assertThat(logins.toString()).doesNotContain("apw", "007", "gpw");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | expected one",
                "'users: {}' | expected users, or a default",
                "'user: {}' | unknown key 'user'; the nearest is 'users'",
                "'users: {bob: swordfish}' | user bob: expected one",
                "'users: {bob: {}}' | user bob: expected a password or password-file, found neither",
                "'users: {bob: {password: no}}' | user bob: password: expected text, in quotes",
                "'users: {bob: {password: &p swordfish}, ann: {password: *p}}' | an alias, or a second document, at line 1",
                "'users: {bob: {passwrd: swordfish}}' | user bob: unknown key 'passwrd'",
                "'users: {bob: {password: \"a\\nb\"}}' | user bob: credentials",
                "'users: {bob: {password: swordfish, password-file: f}}' | user bob: expected password or password-file",
                "'users: {bob: {password-file: none}}' | user bob:",
                "'users: {bob: {password: swordfish}, bob: {password: swordfish}}' | a key twice, an alias, or a second document, at line 1",
                "'default: {login: a, password: swordfish}\n---\nusers: {}' | a second document, at line",
                "'users: {bob: {password: swordfish' | not valid YAML",
                "'default: {password: swordfish}' | default: expected a login"
            })
    void shouldNameTheEntryAndNoPasswordWhenSomethingIsWrong(String text, String words) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--logins " + place)
                .hasMessageContaining(words)
                .satisfies(e -> assertThat(String.valueOf(e.getMessage())).doesNotContain("swordfish"))
                .satisfies(e -> assertThat(String.valueOf(e.getCause())).doesNotContain("swordfish"));
    }

    @Test
    void shouldSayWhichFileIsMissing() {
        assertThatThrownBy(() -> LoginsFile.read(place.resolve("none")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(place.resolve("none") + ": no such file");
    }
}
