package io.longhaul.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSystemSyncTest {
    private static final String KERNEL = "6.1.0-13-amd64";
    private static final String GNU = "if [ \"$1\" = --version ]; then echo 'sync (GNU coreutils) 9.1'; exit 0; fi\n";

    @TempDir
    Path directory;

    @Test
    void shouldTrustKernelsThatTellOfEarlierFailures() {
        assertThat(FileSystemSync.tellsOfFailures("5.8.0")).isTrue();
        assertThat(FileSystemSync.tellsOfFailures("6.1.0-13-amd64")).isTrue();
        assertThat(FileSystemSync.tellsOfFailures("10.0")).isTrue();
        assertThat(FileSystemSync.tellsOfFailures("5.7.19")).isFalse();
        assertThat(FileSystemSync.tellsOfFailures("4.18.0-553.el8")).isFalse();
        assertThat(FileSystemSync.tellsOfFailures("")).isFalse();
    }

    @Test
    void shouldCallTheProgramForTheFileSystemOfTheDirectory() throws IOException {
        // given
        Path said = directory.resolve("said");
        FileSystemSync sync = new FileSystemSync(program("echo \"$@\" > " + said), waiting(0, 0), KERNEL);

        // when
        sync.run(directory);

        // then
        assertThat(said).hasContent("-f " + directory + "\n");
    }

    @Test
    void shouldFailWithWhatTheProgramSaysWhenItFails() throws IOException {
        // given
        FileSystemSync sync =
                new FileSystemSync(program("echo 'Input/output error' >&2; exit 1"), waiting(0, 0), KERNEL);

        // then
        assertThatThrownBy(() -> sync.run(directory))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ended with 1: Input/output error");
    }

    @Test
    void shouldNotSucceedAnyMoreOnceItFailed() throws IOException {
        // given
        Path failing = Files.createFile(directory.resolve("failing"));
        FileSystemSync sync = new FileSystemSync(program(GNU + "test ! -e " + failing), waiting(0, 0), KERNEL);
        assertThatThrownBy(() -> sync.run(directory)).isInstanceOf(IOException.class);

        // when
        Files.delete(failing);

        // then
        assertThatThrownBy(() -> sync.run(directory)).hasMessageContaining("an earlier");
        assertThat(sync.isAtHand(directory)).isFalse();
    }

    @Test
    void shouldBeAtHandOnlyWithAProgramThatTellsOfFailures() throws IOException {
        // given
        assumeTrue(isAtHandHere(), "sync -f works here");

        // then
        assertThat(new FileSystemSync(program(GNU + "exit 0"), waiting(0, 0), KERNEL).isAtHand(directory))
                .isTrue();
        assertThat(new FileSystemSync("no-such-program", waiting(0, 0), KERNEL).isAtHand(directory))
                .isFalse();
        assertThat(new FileSystemSync(program("echo sync of another kind"), waiting(0, 0), KERNEL).isAtHand(directory))
                .isFalse();
        assertThat(new FileSystemSync(program(GNU + "exit 1"), waiting(0, 0), KERNEL).isAtHand(directory))
                .isFalse();
        assertThat(new FileSystemSync(program(GNU + "exit 0"), waiting(0, 0), "4.18.0").isAtHand(directory))
                .isFalse();
    }

    private boolean isAtHandHere() throws IOException {
        return new FileSystemSync("sync", waiting(0, 0), KERNEL).isAtHand(directory);
    }

    @Test
    void shouldNotBeAtHandWhenOthersWroteMuch() throws IOException {
        // given
        assumeTrue(isAtHandHere(), "sync -f works here");

        // then
        assertThat(new FileSystemSync("sync", waiting(200_000, 50_000), KERNEL).isAtHand(directory))
                .isTrue();
        assertThat(new FileSystemSync("sync", waiting(200_000, 70_000), KERNEL).isAtHand(directory))
                .isFalse();
        assertThat(new FileSystemSync("sync", directory.resolve("missing"), KERNEL).isAtHand(directory))
                .isFalse();
    }

    @Test
    void shouldNotBeAtHandWhereNoDiskIs() throws IOException {
        assertThat(new FileSystemSync("sync", waiting(0, 0), KERNEL).isAtHand(Path.of("/proc/self")))
                .isFalse();
    }

    @Test
    void shouldKeepTheInterruptOfWhoWaits() throws IOException {
        // given
        FileSystemSync sync = new FileSystemSync(program("exit 0"), waiting(0, 0), KERNEL);
        Thread.currentThread().interrupt();

        // when
        sync.run(directory);

        // then
        assertThat(Thread.interrupted()).isTrue();
    }

    private String program(String script) throws IOException {
        Path program = directory.resolve("program");
        Files.writeString(program, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return program.toString();
    }

    private Path waiting(long dirtyKib, long writebackKib) throws IOException {
        return Files.writeString(
                directory.resolve("meminfo"),
                "MemTotal:       24684084 kB\nDirty:          " + dirtyKib + " kB\nWriteback:      " + writebackKib
                        + " kB\nWritebackTmp:          9999999 kB\n");
    }
}
