package io.longhaul.storage.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.storage.Disk;
import io.longhaul.storage.ForgetfulDisk;
import io.longhaul.storage.StorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Cuts the power before every single operation on the disk, in several ways, and looks what the block file is then: it
 * must be as it was after some write, and that write must not be older than the last force that returned.
 */
class BlockFilePowerLossIT {
    private static final long CHECKPOINT_BYTES = 128 * 1024;

    @TempDir
    Path temporary;

    private int rounds;

    /** All contents since the last force that returned, the newest last. */
    private final List<byte[]> possible = new ArrayList<>();

    @BeforeEach
    void fillPossible() {
        possible.add(new byte[0]);
    }

    @Test
    void shouldBeAsAfterSomeWriteWhenNothingUnforcedSurvives() throws IOException {
        cutEverywhere(null, 1);
    }

    @Test
    void shouldBeAsAfterSomeWriteWhenChanceDecidesWhatSurvives() throws IOException {
        for (int seed = 1; seed <= 3; seed++) {
            cutEverywhere(new Random(seed), seed);
        }
    }

    @Test
    void shouldBeAsAfterSomeWriteWhenThePowerFailsAgainDuringRecovery() throws IOException {
        for (int first = 40; first < 400; first += 17) {
            for (int second = 0; second < 12; second++) {
                // given
                Round round = new Round(new Random(first));
                round.run(first, 7);

                // when
                round.powerLoss();
                round.disk.failAfter(second);
                try {
                    BlockFile.open(round.path, round.disk, CHECKPOINT_BYTES, lost -> {})
                            .file()
                            .abandon();
                } catch (StorageException e) {
                    assertThat(e).hasMessageContaining("power is off");
                }
                round.powerLoss();

                // then
                round.compare("cut before operation " + first + ", again before operation " + second);
            }
        }
    }

    private void cutEverywhere(RandomGenerator chance, long seed) throws IOException {
        boolean finished = false;
        for (int cut = 0; !finished; cut++) {
            // given
            Round round = new Round(chance);

            // when
            finished = round.run(cut, seed);
            round.powerLoss();

            // then
            round.compare("seed " + seed + ", cut before operation " + cut);
        }
    }

    /** One life of a block file, up to a power loss. */
    private final class Round {
        private final Path path;
        private final RandomGenerator chance;
        private ForgetfulDisk disk;
        private boolean created;

        Round(RandomGenerator chance) throws IOException {
            Path root = Files.createDirectories(temporary.resolve("round" + rounds++))
                    .toRealPath();
            this.path = root.resolve("file");
            this.chance = chance;
            this.disk = new ForgetfulDisk(root, temporary.resolve("scratch"));
            possible.clear();
            possible.add(new byte[0]);
        }

        /** Works until the power fails; returns whether it did not. */
        boolean run(int cut, long seed) {
            disk.failAfter(cut);
            BlockFile file = null;
            try {
                BlockFile.create(path, disk, 42);
                created = true;
                file = BlockFile.open(path, disk, CHECKPOINT_BYTES, lost -> {}).file();
                work(file, new Random(seed));
                file.close();
                return true;
            } catch (StorageException e) {
                assertThat(e).hasMessageContaining("power is off");
                return false;
            } finally {
                if (file != null) {
                    file.abandon();
                }
            }
        }

        private void work(BlockFile file, Random random) {
            byte[] content = new byte[0];
            for (int step = 0; step < 60; step++) {
                int kind = random.nextInt(10);
                if (kind < 6) {
                    int length = 1 + random.nextInt(4 * Block.BYTES);
                    int at = random.nextInt(content.length + Block.BYTES);
                    if (random.nextBoolean()) {
                        at -= at % Block.BYTES;
                    }
                    byte[] bytes = new byte[length];
                    random.nextBytes(bytes);
                    content = Arrays.copyOf(content, Math.max(content.length, at + length));
                    System.arraycopy(bytes, 0, content, at, length);
                    possible.add(content.clone());
                    file.write(ByteBuffer.wrap(bytes), at);
                } else if (kind == 6) {
                    content = Arrays.copyOf(content, random.nextInt(content.length + 1));
                    possible.add(content.clone());
                    file.truncate(content.length);
                } else {
                    file.force();
                    possible.clear();
                    possible.add(content.clone());
                }
            }
        }

        void powerLoss() {
            if (chance == null) {
                disk.powerLoss();
            } else {
                disk.powerLoss(chance);
            }
            disk = disk.restart();
        }

        void compare(String when) {
            if (!Files.exists(path)) {
                assertThat(created).as(when).isFalse();
                return;
            }
            Recovered recovered = BlockFile.open(path, disk, CHECKPOINT_BYTES, lost -> {});
            byte[] found = content(recovered.file());
            recovered.file().abandon();
            assertThat(recovered.findings()).as(when).isEmpty();
            assertThat(possible.stream().anyMatch(each -> Arrays.equals(each, found)))
                    .as("%s: content of %d bytes is that of after a write since the last force", when, found.length)
                    .isTrue();
        }
    }

    static byte[] content(BlockFile file) {
        ByteBuffer all = ByteBuffer.allocate((int) file.length());
        if (all.capacity() > 0) {
            assertThat(file.read(all, 0)).isEqualTo(all.capacity());
        }
        return all.array();
    }

    @Test
    void shouldKeepMendedBlockWhenThePowerFailsAfterwards() throws IOException {
        // given
        Path root = Files.createDirectory(temporary.resolve("mended")).toRealPath();
        Path path = root.resolve("file");
        byte[] expected = new byte[Block.BYTES];
        new Random(1).nextBytes(expected);
        BlockFile.create(path, Disk.real(), 7);
        try (BlockFile file = BlockFile.open(path, Disk.real()).file()) {
            file.write(ByteBuffer.wrap(expected), 0);
        }
        byte[] bytes = Files.readAllBytes(path);
        bytes[(int) Layout.physical(0) * Block.BYTES + 99] ^= 8;
        Files.write(path, bytes);
        ForgetfulDisk disk = new ForgetfulDisk(root, temporary.resolve("scratch"));

        // when
        Recovered mended = BlockFile.open(path, disk);
        assertThat(mended.findings()).singleElement().asString().contains("repaired from the journal");
        assertThat(mended.damaged()).isFalse();
        disk.powerLoss();
        mended.file().abandon();

        // then
        Recovered again = BlockFile.open(path, disk.restart());
        assertThat(again.damaged()).isFalse();
        assertThat(content(again.file())).isEqualTo(expected);
        again.file().close();
    }

    @Test
    void shouldHoldWhatWasWrittenWhenOpenedAgain() throws IOException {
        // given
        Path path = temporary.resolve("file");
        BlockFile.create(path, Disk.real(), 7);
        byte[] expected = new byte[3 * 1024 * 1024 + 17];
        new Random(1).nextBytes(expected);
        try (BlockFile file = BlockFile.open(path, Disk.real()).file()) {
            file.write(ByteBuffer.wrap(expected), 0);
        }

        // when
        Recovered recovered = BlockFile.open(path, Disk.real());

        // then
        assertThat(recovered.findings()).isEmpty();
        assertThat(content(recovered.file())).isEqualTo(expected);
        assertThat(recovered.file().verify()).isEmpty();
        recovered.file().close();
    }
}
