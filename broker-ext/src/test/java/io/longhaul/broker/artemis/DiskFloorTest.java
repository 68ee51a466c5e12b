package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class DiskFloorTest {
    private static final long MIB = 1024 * 1024;
    private final AtomicLong free = new AtomicLong();
    private final DiskFloor floor = new DiskFloor(Path.of("/data"), free::get, 256 * MIB);

    @Test
    void shouldAdmitWhenThereIsRoomAndRefuseWhenThereIsNot() {
        // given
        free.set(300 * MIB);
        floor.look();

        // when then
        assertThat(floor.admit((int) MIB)).isEmpty();

        // when
        free.set(256 * MIB - 1);
        floor.look();

        // then
        assertThat(floor.isPaused()).isTrue();
        assertThat(floor.admit(1))
                .hasValueSatisfying(why -> assertThat(why)
                        .contains("/data")
                        .contains("needed " + 256 * MIB)
                        .contains("found " + (256 * MIB - 1)));
    }

    @Test
    void shouldLookAgainByItselfWhenABurstUsesUpTheRoom() {
        // given
        free.set(260 * MIB);
        floor.look();
        free.set(255 * MIB);

        // when
        int admitted = 0;
        while (floor.admit((int) MIB).isEmpty()) {
            admitted++;
        }

        // then
        assertThat(admitted).isLessThanOrEqualTo(2);
    }

    @Test
    void shouldStopWhenFreeSpaceCannotBeRead() {
        // given
        DiskFloor blind = new DiskFloor(
                Path.of("/data"),
                () -> {
                    throw new IOException("gone");
                },
                256 * MIB);

        // when
        blind.look();

        // then
        assertThat(blind.admit(1)).isPresent();
    }

    @Test
    void shouldKeepRoomForTheJournalWhenAskedForLess() {
        // given
        DiskFloor low = new DiskFloor(Path.of("/data"), () -> 32 * MIB, 0);

        // when
        low.look();

        // then
        assertThat(low.admit(1)).isPresent();
        assertThat(low.floorBytes()).isEqualTo(64 * MIB);
    }

    @Test
    void shouldStopForWantOfInodesAndGoOnWhenThereAreSome() {
        // given
        AtomicReference<Optional<String>> lack = new AtomicReference<>(Optional.of("needed 9 inodes free, found 3"));
        DiskFloor full = new DiskFloor(
                Path.of("/data"),
                new DiskFloor.FreeSpace() {
                    @Override
                    public long usableBytes() {
                        return 300 * MIB;
                    }

                    @Override
                    public Optional<String> otherShortage() {
                        return lack.get();
                    }
                },
                256 * MIB);

        // when
        full.look();

        // then
        assertThat(full.isPaused()).isTrue();
        assertThat(full.admit(1)).contains("disk of /data: needed 9 inodes free, found 3");

        // when
        lack.set(Optional.empty());
        full.look();

        // then
        assertThat(full.isPaused()).isFalse();
        assertThat(full.admit(1)).isEmpty();
    }
}
