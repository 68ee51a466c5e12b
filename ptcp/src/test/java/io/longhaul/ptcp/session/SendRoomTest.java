package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

final class SendRoomTest {
    private static final long BUFFER = 4L * 1024 * 1024;
    private static final int PACKET = 64 * 1024;

    private final SendRoom room = new SendRoom(BUFFER);

    @Test
    void shouldLeaveEverythingToTheSystemWhileTheNetworkIsTheLimit() {
        // given
        room.look(BUFFER, BUFFER, BUFFER);

        // when
        room.used(BUFFER);

        // then
        assertThat(room.isLeft()).isTrue();
        assertThat(room.isLow()).isFalse();
    }

    @Test
    void shouldNeverFillABufferThatIsTheLimit() {
        // given
        room.look(BUFFER, 2 * BUFFER, 0);

        // when
        long given = fill();

        // then
        assertThat(given).isBetween(BUFFER * 9 / 10, BUFFER - 1);
        assertThat(room.isLow()).isTrue();
    }

    @Test
    void shouldGiveAgainWhatWasAcknowledged() {
        // given
        room.look(BUFFER, 2 * BUFFER, 0);
        long given = fill();

        // when
        room.look(BUFFER, 2 * BUFFER, given - BUFFER / 10);

        // then
        assertThat(fill()).isBetween(BUFFER / 20, BUFFER / 10);
    }

    @Test
    void shouldLeaveItToTheSystemAgainWhenLossHasMadeTheWindowSmall() {
        // given
        room.look(BUFFER, 2 * BUFFER, BUFFER);
        assertThat(room.isLeft()).isFalse();

        // when
        room.look(BUFFER, BUFFER / 2, BUFFER);

        // then
        assertThat(room.isLeft()).isTrue();
    }

    @Test
    void shouldLeaveASocketToTheSystemThatIsNotPaced() {
        // when
        room.look(BUFFER, 0, BUFFER);

        // then
        assertThat(room.isCounted()).isFalse();
        assertThat(room.isLeft()).isTrue();
    }

    @Test
    void shouldLeaveABufferToTheSystemThatMayStillGrow() {
        // given
        long young = 87_040;

        // when
        room.look(young, 2 * young, young);

        // then
        assertThat(room.isLeft()).isTrue();
        assertThat(room.isLow()).isFalse();
    }

    @Test
    void shouldAlwaysHaveRoomWhenNothingIsUnderWayHoweverSmallBuffersMayBe() {
        // given
        SendRoom small = new SendRoom(16 * 1024);

        for (long buffer = 16 * 1024; buffer <= BUFFER; buffer *= 2) {
            // when
            small.look(buffer, 2 * buffer, 0);

            // then
            assertThat(small.isLeft()).as("of %d bytes", buffer).isTrue();
        }
    }

    @Test
    void shouldKnowHowFarBuffersGrow(@TempDir Path directory) throws IOException {
        // given
        Path file = Files.writeString(directory.resolve("tcp_wmem"), "4096\t16384\t4194304\n");

        // when
        long bytes = SendRoom.grownBytes(file);

        // then
        assertThat(bytes).isEqualTo(4_194_304);
        assertThat(SendRoom.grownBytes(directory.resolve("none"))).isEqualTo(Long.MAX_VALUE);
        assertThat(SendRoom.grownBytes(Files.writeString(file, "no numbers"))).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldReadHowFarBuffersGrowFromTheKernel() {
        // when
        long bytes = SendRoom.grownBytes(Path.of("/proc/sys/net/ipv4/tcp_wmem"));

        // then
        assertThat(bytes).isBetween(4096L, (long) Integer.MAX_VALUE);
    }

    private long fill() {
        long given = 0;
        while (room.isLeft()) {
            room.used(PACKET);
            given += PACKET;
        }
        return given;
    }
}
