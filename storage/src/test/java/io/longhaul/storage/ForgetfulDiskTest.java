package io.longhaul.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ForgetfulDiskTest extends DiskContract {
    @Override
    Disk create(Path root, Path scratch) {
        return new ForgetfulDisk(root, scratch);
    }

    private ForgetfulDisk forgetful() {
        return (ForgetfulDisk) disk;
    }

    @Test
    void shouldKeepBytesOnlyWhenForcedAndNameOnlyWhenSynced() {
        // given
        writeForced("both", "1");
        write("name", "2");
        disk.syncDirectory(root);
        writeForced("bytes", "3");

        // when
        forgetful().powerLoss();

        // then
        assertThat(root.resolve("both")).hasContent("1");
        assertThat(root.resolve("name")).isEmptyFile();
        assertThat(root.resolve("bytes")).doesNotExist();
    }

    @Test
    void shouldUndoWritesAndLengthsInOrder() {
        // given
        writeForced("file", "0123456789");
        disk.syncDirectory(root);
        try (DiskFile file = disk.open(root.resolve("file"))) {
            file.write(bytes("abc"), 2);
            file.setLength(4);
            file.write(bytes("xyz"), 8);
        }

        // when
        forgetful().powerLoss();

        // then
        assertThat(root.resolve("file")).hasContent("0123456789");
    }

    @Test
    void shouldUndoRenameRemovalAndReplacementWhenNotSynced() {
        // given
        writeForced("a", "a");
        writeForced("b", "b");
        writeForced("c", "c");
        disk.syncDirectory(root);
        disk.rename(root.resolve("a"), root.resolve("b"));
        disk.delete(root.resolve("c"));

        // when
        forgetful().powerLoss();

        // then
        assertThat(root.resolve("a")).hasContent("a");
        assertThat(root.resolve("b")).hasContent("b");
        assertThat(root.resolve("c")).hasContent("c");
    }

    @Test
    void shouldLoseDirectoryWithContentWhenItsParentWasNotSynced() {
        // given
        disk.createDirectory(root.resolve("d"));
        writeForced("d/file", "x");
        disk.syncDirectory(root.resolve("d"));

        // when
        forgetful().powerLoss();

        // then
        assertThat(root.resolve("d")).doesNotExist();
    }

    @Test
    void shouldForgetAttributesWhenNotForced() throws Exception {
        // given
        writeForced("file", "x");
        disk.syncDirectory(root);
        disk.setAttributes(root.resolve("file"), 0640, 1_000_000_000L);
        try (DiskFile file = disk.open(root.resolve("file"))) {
            file.force();
        }
        disk.setAttributes(root.resolve("file"), 0600, 9_000_000_000L);

        // when
        forgetful().powerLoss();

        // then
        assertThat((int) Files.getAttribute(root.resolve("file"), "unix:mode") & 07777)
                .isEqualTo(0640);
        assertThat(Files.getLastModifiedTime(root.resolve("file")).toMillis()).isEqualTo(1_000);
    }

    @Test
    void shouldKeepDurableStateOfFilesThatWereThereBefore() throws Exception {
        // given
        Files.writeString(root.resolve("old"), "old");
        try (DiskFile file = disk.open(root.resolve("old"))) {
            file.write(bytes("new"), 0);
        }

        // when
        forgetful().powerLoss();

        // then
        assertThat(root.resolve("old")).hasContent("old");
    }

    @Test
    void shouldBeOffAfterTheLossAndOnAfterRestart() {
        // given
        writeForced("file", "x");
        disk.syncDirectory(root);
        DiskFile open = disk.open(root.resolve("file"));

        // when
        forgetful().powerLoss();

        // then
        assertThatThrownBy(() -> open.write(bytes("late"), 0)).hasMessageContaining("power is off");
        assertThatThrownBy(() -> disk.open(root.resolve("file"))).hasMessageContaining("power is off");
        Disk again = forgetful().restart();
        try (DiskFile file = again.open(root.resolve("file"))) {
            file.write(bytes("y"), 0);
        }
        assertThat(root.resolve("file")).hasContent("y");
        open.close();
    }

    @Test
    void shouldLetAnyPartSurviveWhenLeftToChance() throws Exception {
        // given
        Set<String> outcomes = new HashSet<>();
        for (int seed = 0; seed < 40; seed++) {
            Path inner = Files.createDirectory(root.resolve("seed" + seed));
            ForgetfulDisk each = new ForgetfulDisk(inner, temporary.resolve("scratch"));
            try (DiskFile file = each.open(inner.resolve("file"))) {
                file.force();
                each.syncDirectory(inner);
                file.write(bytes("first"), 0);
                file.write(bytes("second"), 10);
            }

            // when
            each.powerLoss(new Random(seed));
            outcomes.add(Files.readString(inner.resolve("file")).replace('\0', '.'));
        }

        // then
        assertThat(outcomes).contains("", "first", "first.....second", "..........second");
    }

    private void writeForced(String name, String content) {
        write(name, content);
        try (DiskFile file = disk.open(root.resolve(name))) {
            file.force();
        }
    }
}
