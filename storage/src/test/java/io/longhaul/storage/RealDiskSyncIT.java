package io.longhaul.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Looks over the shoulder of a process, with strace, whether the real disk really syncs. */
class RealDiskSyncIT {
    @TempDir
    Path temporary;

    /** The process that is watched. */
    static final class Syncer {
        private Syncer() {}

        public static void main(String[] arguments) {
            Path root = Path.of(arguments[0]);
            Disk disk = Disk.real();
            disk.createDirectories(root.resolve("one/two"));
            disk.createDirectories(root.resolve("there"));
            try (DiskFile file = disk.open(root.resolve("one/two/file"))) {
                file.write(ByteBuffer.wrap(new byte[10]), 0);
                file.force();
            }
            disk.syncDirectory(root.resolve("one/two"));
        }
    }

    @Test
    void shouldSyncFilesDirectoriesAndParentsOfNewDirectories() throws Exception {
        // given
        Path root = Files.createDirectory(temporary.resolve("root")).toRealPath();
        Files.createDirectory(root.resolve("there"));
        Path trace = temporary.resolve("trace");
        Process child;
        try {
            child = JavaChild.start(
                    List.of("strace", "-f", "-y", "-e", "trace=fsync,fdatasync", "-o", trace.toString()),
                    Syncer.class,
                    root.toString());
        } catch (IOException e) {
            System.err.println("NOT TESTED: system calls of the disk; no strace on this machine");
            Assumptions.abort("no strace on this machine: " + e.getMessage());
            return;
        }

        // when
        assertThat(child.waitFor()).isZero();

        // then
        List<String> synced = Files.readAllLines(trace).stream()
                .filter(line -> line.contains(root.toString()))
                .map(line -> line.substring(line.indexOf('<') + 1, line.indexOf('>')))
                .toList();
        assertThat(synced)
                .containsExactly(
                        root.toString(), root + "/one", root.toString(), root + "/one/two/file", root + "/one/two");
    }
}
