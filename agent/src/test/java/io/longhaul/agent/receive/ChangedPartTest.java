package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Part files that somebody else changes while their receiver runs, which has hashed the bytes as they passed. */
class ChangedPartTest {
    private static final byte[] CONTENT = Shipment.random(1, 1_000_000);

    @TempDir
    Path directory;

    private static Shipment shipment(boolean isTree) {
        return isTree
                ? Shipment.tree(1, "f", List.of(Shipment.Node.file("large", CONTENT)))
                : Shipment.file(1, "f", CONTENT);
    }

    private static Path part(Rig rig) {
        return rig.leftovers().stream()
                .map(rig.into::resolve)
                .filter(Files::isRegularFile)
                .findFirst()
                .orElseThrow();
    }

    private interface Change {
        void run() throws IOException;
    }

    /** Changes a file so that its time tells it, however coarse the clock of the kernel is. */
    private static void change(Path file, Change change) {
        try {
            FileTime before = (FileTime) Files.getAttribute(file, "unix:ctime");
            do {
                change.run();
            } while (before.equals(Files.getAttribute(file, "unix:ctime")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void flip(Path file, int position) {
        try {
            byte[] other = {(byte) ~Files.readAllBytes(file)[position]};
            change(file, () -> {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    channel.write(ByteBuffer.wrap(other), position);
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The last frames of a tree bring its directory, of a file its end. */
    @ParameterizedTest
    @CsvSource({"false, 100", "true, 100", "false, 245", "true, 245"})
    void shouldRepairWhatSomebodyFlipsWhileMoreIsAwaited(boolean isTree, int come) {
        // given
        Rig rig = new Rig(directory).open();
        Shipment shipment = shipment(isTree);
        rig.publish(shipment.frames().subList(0, come));
        rig.run();

        // when
        flip(part(rig), 50_000);
        rig.publish(shipment.frames().subList(come, shipment.frames().size()));
        StubHolder archive = new StubHolder(rig, "archive", 0, shipment);
        StubHolder.run(rig, 3_000_000_000L, archive);

        // then
        assertThat(rig.into.resolve(isTree ? "f/large" : "f")).hasBinaryContent(CONTENT);
        assertThat(archive.served).isEqualTo(1);
        assertThat(rig.notices).anyMatch(line -> line.contains("1 pieces in") && line.contains("damaged"));
    }

    @Test
    void shouldRepairWhatSomebodyFlipsWhileTheProcessIsStoppedAtItsWrite() {
        // given
        Rig rig = new Rig(directory);
        AtomicBoolean stopped = new AtomicBoolean();
        rig.disk = StrangeDisk.afterWrites(position -> {
            if (position == 12 * Shipment.PIECE && stopped.compareAndSet(false, true)) {
                rig.nowNs += 1_000_000_000L;
                flip(part(rig), 50_000);
            }
        });
        Shipment shipment = shipment(false);

        // when
        rig.publish(shipment);
        StubHolder archive = new StubHolder(rig.open(), "archive", 0, shipment);
        StubHolder.run(rig, 3_000_000_000L, archive);

        // then
        assertThat(rig.into.resolve("f")).hasBinaryContent(CONTENT);
        assertThat(archive.served).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"false, 100", "true, 100", "false, 245", "true, 245"})
    void shouldRepairWhatSomebodyPutsALinkInThePlaceOf(boolean isTree, int come) throws IOException {
        // given
        Rig rig = new Rig(directory).open();
        Shipment shipment = shipment(isTree);
        rig.publish(shipment.frames().subList(0, come));
        rig.run();
        Path part = part(rig);
        Path elsewhere = directory.resolve("elsewhere");

        // when
        Files.move(part, elsewhere);
        byte[] before = Files.readAllBytes(elsewhere);
        Files.createSymbolicLink(part, elsewhere);
        rig.kill();
        rig.open();
        rig.publish(shipment.frames().subList(come, shipment.frames().size()));
        StubHolder archive = new StubHolder(rig, "archive", 0, shipment);
        StubHolder.run(rig, 3_000_000_000L, archive);

        // then
        assertThat(rig.into.resolve(isTree ? "f/large" : "f")).hasBinaryContent(CONTENT);
        assertThat(elsewhere).hasBinaryContent(before);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldRepairWhatSomebodyCutsOff(boolean isTree) {
        // given
        Rig rig = new Rig(directory).open();
        Shipment shipment = shipment(isTree);
        rig.publish(shipment.frames().subList(0, 245));
        rig.run();
        Path part = part(rig);

        // when
        change(part, () -> {
            try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
                channel.truncate(500_000).write(ByteBuffer.allocate(1), 500_000);
            }
        });
        rig.publish(shipment.frames().subList(245, shipment.frames().size()));
        StubHolder archive = new StubHolder(rig, "archive", 0, shipment);
        StubHolder.run(rig, 3_000_000_000L, archive);

        // then
        assertThat(rig.into.resolve(isTree ? "f/large" : "f")).hasBinaryContent(CONTENT);
    }

    @Test
    void shouldDeliverWithoutRepairWhatSomebodyOnlyTouches() {
        // given
        Rig rig = new Rig(directory).open();
        Shipment shipment = shipment(false);
        rig.publish(shipment.frames().subList(0, 100));
        rig.run();
        Path part = part(rig);

        // when
        change(part, () -> Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("rw-r-----")));
        rig.publish(shipment.frames().subList(100, shipment.frames().size()));
        rig.run();

        // then
        assertThat(rig.into.resolve("f")).hasBinaryContent(CONTENT);
        assertThat(rig.notices).isEmpty();
        assertThat(rig.receipts()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNeverDeliverWhatSomebodyFlipsAfterAKillAtAnyStep(boolean isTree) {
        // given
        Rig undisturbed = new Rig(directory.resolve("undisturbed"));
        undisturbed.publish(shortOne(isTree));
        undisturbed.open().run();
        String place = isTree ? "f/large" : "f";
        String expected = undisturbed.content().get(place);

        for (int step = 0; step < undisturbed.journal.steps().size(); step++) {
            // when
            Rig rig = new Rig(directory.resolve("step" + step));
            rig.publish(shortOne(isTree));
            rig.journal.crashAt(step, true);
            assertThat(rig.runIntoCrash()).isTrue();
            rig.kill();
            if (Files.exists(rig.into.resolve(".longhaul")) && !rig.content().containsKey(place)) {
                rig.leftovers().stream()
                        .map(rig.into::resolve)
                        .filter(each ->
                                Files.isRegularFile(each) && each.toFile().length() > 2)
                        .collect(Collectors.toMap(ChangedPartTest::inode, each -> each, (one, link) -> one))
                        .values()
                        .forEach(each -> flip(each, 2));
            }
            rig.open().run();

            // then
            assertThat(rig.content().getOrDefault(place, expected))
                    .as("killed after step " + undisturbed.journal.steps().get(step))
                    .isEqualTo(expected);
        }
    }

    private static long inode(Path file) {
        return FileIdentity.of(file).orElseThrow().inode();
    }

    private static Shipment shortOne(boolean isTree) {
        byte[] content = Shipment.random(2, 9_000);
        return isTree
                ? Shipment.tree(1, "f", List.of(Shipment.Node.file("large", content)))
                : Shipment.file(1, "f", content);
    }
}
