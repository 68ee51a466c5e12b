package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.rights.Rights;
import io.longhaul.gridftp.rights.Rights.Right;
import io.longhaul.gridftp.rights.Rights.Rule;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Principal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BridgeAccountsTest {
    private static final Principal ANONYMOUS = new Principal("anonymous", true);

    @TempDir
    private Path home;

    private BridgeAccounts accounts(String text) throws IOException {
        return BridgeAccounts.read(Files.writeString(home.resolve("users.yaml"), text));
    }

    @Test
    void shouldLetNobodyInWithoutALoginWhenTheFileDoesNotSaySo() throws IOException {
        assertThat(accounts("users: {}").allowsAnonymous()).isFalse();
    }

    @Test
    void shouldTakeAnonymousForAUserWhenItHasAPassword() {
        // given
        try (TestEnvironment world = new TestEnvironment(home)) {
            Path secret = Files.writeString(home.resolve("secret"), "s");
            Path file = home.resolve("users.yaml");
            world.run("user", "add", file.toString(), "anonymous", "--password-file", secret.toString());

            // when
            BridgeAccounts accounts = BridgeAccounts.read(file);

            // then
            assertThat(accounts.allowsAnonymous()).isFalse();
            assertThat(accounts.matches("anonymous", "s".toCharArray())).isTrue();
            assertThat(accounts.rights(new Principal("anonymous", false))).isEqualTo(Rights.ALL);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldLetAnybodyReadWhenTheFileHasAnonymousWithoutAPassword() throws IOException {
        BridgeAccounts accounts = accounts("users: {anonymous: {password: none, root: /pub}}");

        assertThat(accounts.allowsAnonymous()).isTrue();
        assertThat(accounts.matches("anonymous", "none".toCharArray())).isFalse();
        assertThat(accounts.rights(ANONYMOUS))
                .isEqualTo(new Rights(FilePath.of("/pub"), List.of(new Rule(FilePath.ROOT, Right.READ))));
    }

    @Test
    void shouldTakeAUserForSomebodyWhenItHasAPassword() throws IOException {
        // given
        try (TestEnvironment world = new TestEnvironment(home)) {
            Path secret = Files.writeString(home.resolve("secret"), "s");
            Path file = Files.writeString(home.resolve("users.yaml"), "users: {anonymous: {password: none}}");
            world.run("user", "add", file.toString(), "ftp", "--password-file", secret.toString());

            // when
            BridgeAccounts accounts = BridgeAccounts.read(file);

            // then
            assertThat(accounts.allowsAnonymous()).isTrue();
            assertThat(accounts.isSomebody("ftp")).isTrue();
            assertThat(accounts.isSomebody("anonymous")).isFalse();
            assertThat(accounts.isSomebody("bob")).isFalse();
        }
    }

    @Test
    void shouldLetAnybodyWriteWhereTheFileSaysSo() throws IOException {
        BridgeAccounts accounts = accounts("users: {anonymous: {password: none, paths: [{path: /in, rights: write}]}}");

        assertThat(accounts.rights(ANONYMOUS))
                .isEqualTo(new Rights(FilePath.ROOT, List.of(new Rule(FilePath.of("/in"), Right.WRITE))));
    }
}
