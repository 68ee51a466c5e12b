package io.longhaul.it.powerloss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The layer itself: it keeps what a program forced, and loses what it did not. */
@ExtendWith(TestbedExtension.class)
final class PowerLossLayerIT {

    @Test
    void shouldKeepFileWhenItsBytesAndItsNameWereForced(Testbed testbed) throws IOException {
        Path root = afterCut(testbed, "write:FILE:one", "force:FILE", "sync:ROOT");

        assertThat(root.resolve("file")).hasContent("one");
    }

    @Test
    void shouldLoseBytesWhenOnlyTheNameWasForced(Testbed testbed) throws IOException {
        Path root = afterCut(testbed, "write:FILE:one", "sync:ROOT");

        assertThat(root.resolve("file")).isEmptyFile();
    }

    @Test
    void shouldLoseFileWhenOnlyItsBytesWereForced(Testbed testbed) throws IOException {
        Path root = afterCut(testbed, "write:FILE:one", "force:FILE");

        assertThat(root).isEmptyDirectory();
    }

    @Test
    void shouldKeepForcedBytesWhenLaterOnesWereNotForced(Testbed testbed) throws IOException {
        Path root = afterCut(
                testbed, "write:FILE:first", "force:FILE", "sync:ROOT", "write:FILE:FI", "write-at:FILE:5:second");

        assertThat(root.resolve("file")).hasContent("first");
    }

    @Test
    void shouldKeepWhatEitherKindOfFileWroteWhenForced(Testbed testbed) throws IOException {
        Path root = afterCut(testbed, "write-old:FILE:old", "force-all:FILE", "sync:ROOT");

        assertThat(root.resolve("file")).hasContent("old");
    }

    @Test
    void shouldKeepBytesWhenEveryWriteIsSynced(Testbed testbed) throws IOException {
        Path root = afterCut(testbed, "write-synced:FILE:old", "sync:ROOT");

        assertThat(root.resolve("file")).hasContent("old");
    }

    @Test
    void shouldKeepEverythingWhenTheFileSystemIsSynced(Testbed testbed) throws IOException {
        Path root = afterCut(
                testbed, "write:FILE:one", "directory:ROOT/in", "write:ROOT/in/two:2", "sync-all:ROOT", "write:FILE:x");

        assertThat(root.resolve("file")).hasContent("one");
        assertThat(root.resolve("in/two")).hasContent("2");
    }

    @Test
    void shouldLoseEverythingWhenDeafToASyncOfTheFileSystem(Testbed testbed) throws IOException {
        Path root = afterCut(testbed, Map.of("POWERLOSS_DEAF", "fs:/"), "write:FILE:one", "sync-all:ROOT");

        assertThat(root).isEmptyDirectory();
    }

    @Test
    void shouldKeepOldLengthWhenTruncationWasNotForced(Testbed testbed) throws IOException {
        Path root = afterCut(testbed, "write:FILE:first", "force:FILE", "sync:ROOT", "truncate:FILE:2");

        assertThat(root.resolve("file")).hasContent("first");
    }

    @Test
    void shouldForgetBytesBehindForcedTruncation(Testbed testbed) throws IOException {
        Path root = afterCut(
                testbed,
                "write:FILE:first",
                "force:FILE",
                "sync:ROOT",
                "truncate:FILE:2",
                "force:FILE",
                "write-at:FILE:3:x",
                "force:FILE");

        assertThat(root.resolve("file")).hasBinaryContent(new byte[] {'f', 'i', 0, 'x'});
    }

    @Test
    void shouldKeepOldNameWhenDirectoryWasNotForcedAfterRename(Testbed testbed) throws IOException {
        Path root = afterCut(testbed, "write:FILE:one", "force:FILE", "sync:ROOT", "rename:FILE:ROOT/other");

        assertThat(root.resolve("file")).hasContent("one");
        assertThat(root.resolve("other")).doesNotExist();
    }

    @Test
    void shouldKeepNewNameWhenDirectoryWasForcedAfterRename(Testbed testbed) throws IOException {
        Path root =
                afterCut(testbed, "write:FILE:one", "force:FILE", "sync:ROOT", "rename:FILE:ROOT/other", "sync:ROOT");

        assertThat(root.resolve("file")).doesNotExist();
        assertThat(root.resolve("other")).hasContent("one");
    }

    @Test
    void shouldNeverSplitRenameBetweenDirectories(Testbed testbed) throws IOException {
        Path root = afterCut(
                testbed,
                "directory:ROOT/from",
                "directory:ROOT/to",
                "sync:ROOT",
                "write:ROOT/from/a:one",
                "force:ROOT/from/a",
                "sync:ROOT/from",
                "sync:ROOT/to",
                "rename:ROOT/from/a:ROOT/to/b",
                "sync:ROOT/from");

        assertThat(root.resolve("from")).isEmptyDirectory();
        assertThat(root.resolve("to/b")).hasContent("one");
    }

    @Test
    void shouldBringBackFileWhenItsRemovalWasNotForced(Testbed testbed) throws IOException {
        Path root = afterCut(testbed, "write:FILE:one", "force:FILE", "sync:ROOT", "delete:FILE");

        assertThat(root.resolve("file")).hasContent("one");
    }

    @Test
    void shouldKeepLinksAndStrangeNames(Testbed testbed) throws IOException {
        Path root = afterCut(testbed, "link:ROOT/a b%\n:x y", "sync:ROOT");

        assertThat(Files.readSymbolicLink(root.resolve("a b%\n"))).hasToString("x y");
    }

    @Test
    void shouldLoseForcedBytesWhenToldToBeDeaf(Testbed testbed) throws IOException {
        Path root = afterCut(
                testbed, Map.of("POWERLOSS_DEAF", "dir:none,file:fil"), "write:FILE:one", "force:FILE", "sync:ROOT");

        assertThat(root.resolve("file")).isEmptyFile();
    }

    @Test
    void shouldRefuseToJudgeWhenFileWasMappedForWriting(Testbed testbed) {
        assertThatThrownBy(() -> afterCut(testbed, "write:FILE:one", "map:FILE"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("mapped for writing");
    }

    @Test
    void shouldKeepBaselineAndSomeOfTheRestWhenBytesSurviveByLot(Testbed testbed) throws IOException {
        // given
        Path root = testbed.directory("root");
        Files.writeString(root.resolve("earlier"), "kept");
        FragileMachine machine = FragileMachine.of(testbed, root);
        List<String> steps = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            steps.add("write:ROOT/f" + i + ":bytes");
        }
        steps.add("sync:ROOT");
        run(testbed, root, machine.variables(), steps);

        // when
        machine.cut(7);

        // then
        assertThat(root.resolve("earlier")).hasContent("kept");
        long whole = 0;
        for (int i = 0; i < 32; i++) {
            whole += Files.size(root.resolve("f" + i)) == 5 ? 1 : 0;
        }
        assertThat(whole).isBetween(1L, 31L);
    }

    private static Path afterCut(Testbed testbed, String... steps) throws IOException {
        return afterCut(testbed, Map.of(), steps);
    }

    private static Path afterCut(Testbed testbed, Map<String, String> more, String... steps) throws IOException {
        Path root = testbed.directory("root");
        FragileMachine machine = FragileMachine.of(testbed, root);
        Map<String, String> environment = new HashMap<>(machine.variables());
        environment.putAll(more);
        run(testbed, root, environment, List.of(steps));
        machine.cut(0);
        return root;
    }

    private static void run(Testbed testbed, Path root, Map<String, String> environment, List<String> steps) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                DiskProgram.class.getName()));
        steps.forEach(step -> command.add(step.replace("FILE", root + "/file").replace("ROOT", root.toString())));
        testbed.start("program", command, environment).expectExit(0);
    }
}
