package io.longhaul.agent.receipt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.agent.AgentException;
import io.longhaul.storage.Disk;
import io.longhaul.storage.ForgetfulDisk;
import io.longhaul.storage.StorageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReceiptKeyTest {
    private static final Clock CLOCK = Clock.fixed(Instant.ofEpochMilli(1_700_000_000_000L), ZoneOffset.UTC);

    @TempDir
    Path dir;

    private ReceiptKey open() {
        return ReceiptKey.open(dir, Disk.real(), CLOCK);
    }

    private Path file() {
        return dir.resolve(ReceiptKey.FILE);
    }

    @Test
    void shouldMakeAKeyForItsOwnerOnlyAndFindItAgain() throws IOException {
        // when
        ReceiptKey made = open();

        // then
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
        assertThat(open().publicKey()).isEqualTo(made.publicKey()).hasSize(64);
        assertThat(made.fingerprint()).hasSize(16);
        assertThat(dir.toFile().list()).hasSize(1);
    }

    @Test
    void shouldMakeDifferentKeysInDifferentDirectories() {
        assertThat(ReceiptKey.generate().publicKey())
                .isNotEqualTo(ReceiptKey.generate().publicKey());
    }

    @Test
    void shouldShowNothingSecretWhenPrinted() throws IOException {
        // given
        ReceiptKey key = open();

        // when
        String shown = key.toString();

        // then
        assertThat(shown).isEqualTo("ReceiptKey[" + key.fingerprint() + "]");
        List<String> lines = Files.readAllLines(file());
        assertThat(shown).doesNotContain(lines.get(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rwxrwxrwx"})
    void shouldRefuseWhenOthersMayUseTheKey(String mode) throws IOException {
        // given
        open();
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString(mode));

        // when, then
        assertThatThrownBy(this::open)
                .isInstanceOfSatisfying(
                        AgentException.class, e -> assertThat(e.code()).isEqualTo(AgentException.Code.REFUSED))
                .hasMessageContaining(file().toString())
                .hasMessageContaining("expected mode rw-------, found " + mode)
                .hasMessageContaining("chmod 600");
    }

    @Test
    void shouldRefuseWithoutShowingItOrFindTheSameKeyWhenAnyByteIsDamaged() throws IOException {
        // given
        String key = open().publicKey();
        byte[] sound = Files.readAllBytes(file());
        String secret =
                new String(sound, StandardCharsets.US_ASCII).lines().toList().get(1);
        int refused = 0;

        for (int at = 0; at < sound.length; at++) {
            byte[] damaged = sound.clone();
            damaged[at] ^= 4;
            Files.write(file(), damaged);

            // when
            try {
                // then: a line end, or a number of the format that nobody reads
                assertThat(open().publicKey()).as("byte " + at).isEqualTo(key);
            } catch (AgentException e) {
                assertThat(e.code()).isEqualTo(AgentException.Code.VERIFICATION_FAILED);
                assertThat(e).hasMessageContaining(file().toString()).hasMessageContaining("damaged");
                assertThat(e).hasMessageNotContaining(secret);
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(sound.length * 9 / 10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "hello", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"})
    void shouldRefuseWhenTheFileIsNoKey(String content) throws IOException {
        // given
        open();
        Files.writeString(file(), content);

        // when, then
        assertThatThrownBy(this::open).isInstanceOf(AgentException.class).hasMessageContaining("damaged");
    }

    @Test
    void shouldRefuseWhenTheKeyIsALink() throws IOException {
        // given
        open();
        Path elsewhere = Files.move(file(), dir.resolve("elsewhere"));
        Files.createSymbolicLink(file(), elsewhere);

        // when, then
        assertThatThrownBy(this::open).isInstanceOf(RuntimeException.class).hasMessageContaining(ReceiptKey.FILE);
    }

    @Test
    void shouldHaveAWholeKeyOrNoneWhenPowerFailsBeforeAnyOperation() throws IOException {
        // given
        long operations = operations(new ForgetfulDisk(made("whole"), made("scratch")), dir.resolve("whole"));
        assertThat(operations).isGreaterThan(4);

        for (long operation = 0; operation < operations; operation++) {
            Path root = made("root" + operation);
            ForgetfulDisk disk = new ForgetfulDisk(root, dir.resolve("scratch"));
            disk.failAfter(operation);

            // when
            try {
                ReceiptKey.open(root, disk, CLOCK);
            } catch (StorageException e) {
                assertThat(e).hasMessageContaining("the power is off");
            }
            disk.powerLoss();

            // then
            ReceiptKey after = ReceiptKey.open(root, disk.restart(), CLOCK);
            assertThat(ReceiptKey.open(root, Disk.real(), CLOCK).publicKey())
                    .as("power lost before operation " + operation)
                    .isEqualTo(after.publicKey());
        }
    }

    @Test
    void shouldKeepTheKeyWhenPowerFailsOnceItIsUsed() throws IOException {
        // given
        Path root = made("root");
        ForgetfulDisk disk = new ForgetfulDisk(root, made("scratch"));
        ReceiptKey used = ReceiptKey.open(root, disk, CLOCK);

        // when
        disk.powerLoss();

        // then
        assertThat(ReceiptKey.open(root, disk.restart(), CLOCK).publicKey()).isEqualTo(used.publicKey());
    }

    private Path made(String name) throws IOException {
        return Files.createDirectories(dir.resolve(name));
    }

    private static long operations(ForgetfulDisk disk, Path root) {
        ReceiptKey.open(root, disk, CLOCK);
        return disk.operations();
    }
}
