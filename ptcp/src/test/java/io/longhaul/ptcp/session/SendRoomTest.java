package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SendRoomTest {
    private static final long BUFFER = 4L * 1024 * 1024;
    private static final int PACKET = 64 * 1024;

    private final SendRoom room = new SendRoom();

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

    private long fill() {
        long given = 0;
        while (room.isLeft()) {
            room.used(PACKET);
            given += PACKET;
        }
        return given;
    }
}
