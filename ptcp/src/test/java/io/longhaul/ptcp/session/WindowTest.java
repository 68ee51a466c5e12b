package io.longhaul.ptcp.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WindowTest {
    private static final long MIB = 1024 * 1024;
    private static final long MOST = 32 * MIB;
    private final WindowBudget budget = new WindowBudget(128 * MIB);
    private long nowNs = -17;

    private Window window() {
        return new Window(MIB, MOST, budget, () -> nowNs);
    }

    /** Lets the reader take as many bytes in each second; returns the position then. */
    private long carry(Window window, long from, int seconds, long bytes) {
        long position = from;
        for (int i = 0; i < seconds; i++) {
            nowNs += Duration.ofSeconds(1).toNanos();
            position += bytes;
            window.progressed(position, position, true);
        }
        return position;
    }

    private static Window carrying(Window window, long bytes) {
        window.progressed(bytes, bytes, true);
        return window;
    }

    @Test
    void shouldBeginSmallAndGrowWithWhatCame() {
        // given
        Window window = window();
        assertThat(window.limit()).isEqualTo(MIB);

        // when then
        assertThat(carrying(window, MIB).limit()).isEqualTo(MIB + 5 * MIB);
        assertThat(carrying(window, 4 * MIB).limit()).isEqualTo(4 * MIB + 17 * MIB);
        assertThat(carrying(window, 100 * MIB).limit()).isEqualTo(100 * MIB + MOST);
        assertThat(window.bytes()).isEqualTo(MOST);
    }

    @Test
    void shouldGrowWithWhatComesWhileTheReaderWaitsForAGap() {
        // given
        Window window = window();

        // when
        window.progressed(MIB / 2, 3 * MIB, true);

        // then
        assertThat(window.limit()).isEqualTo(MIB / 2 + 13 * MIB);
    }

    @Test
    void shouldStaySmallWhenTheUserIsNotKnown() {
        // given
        Window window = window();

        // when
        window.progressed(100 * MIB, 100 * MIB, false);

        // then
        assertThat(window.limit()).isEqualTo(101 * MIB);
        assertThat(budget.freeBytes()).isEqualTo(128 * MIB);
    }

    @Test
    void shouldStaySmallWhenLittleIsTakenForDays() {
        // given
        Window window = window();

        // when
        carry(window, 0, 100_000, MIB / 1024);

        // then
        assertThat(window.bytes()).isLessThan(MIB + MIB / 100);
    }

    @Test
    void shouldShrinkWhenLessIsTakenAndGrowAgain() {
        // given
        Window window = window();
        long position = carry(window, 0, 10, 100 * MIB);
        assertThat(window.bytes()).isEqualTo(MOST);

        // when then
        position = carry(window, position, 100, MIB);
        assertThat(window.bytes()).isEqualTo(5 * MIB);
        window.progressed(position + 3 * MIB, position + 3 * MIB, true);
        assertThat(window.bytes()).isEqualTo(13 * MIB);
        window.progressed(position + 20 * MIB, position + 20 * MIB, true);
        assertThat(window.bytes()).isEqualTo(MOST);
    }

    /** However many there are: what all of them were promised is there, and each has enough for a packet. */
    @Test
    void shouldPromiseNoMoreThanThereIsWhenThereAreManySessions() {
        // given
        List<Window> windows = new ArrayList<>();
        long promised = 0;

        // when
        for (int i = 0; i < 1000; i++) {
            windows.add(carrying(window(), 1000 * MIB));
        }
        for (Window window : windows) {
            assertThat(window.limit()).isGreaterThanOrEqualTo(1001 * MIB);
            promised += window.limit() - 1001 * MIB;
        }

        // then
        assertThat(windows.get(0).bytes()).isEqualTo(MOST);
        assertThat(promised).isLessThanOrEqualTo(128 * MIB);
        assertThat(budget.freeBytes()).isEqualTo(128 * MIB - promised);
    }

    @Test
    void shouldLeaveItsMemoryToOthersWhenItIsGivenBack() {
        // given
        Window window = carrying(window(), 1000 * MIB);
        assertThat(budget.freeBytes()).isEqualTo(128 * MIB - 31 * MIB);

        // when
        window.givenBack(31 * MIB, 1000 * MIB);

        // then
        assertThat(window.limit()).isEqualTo(1001 * MIB);
        assertThat(budget.freeBytes()).isEqualTo(128 * MIB);

        // when
        window.progressed(1001 * MIB, 1001 * MIB, true);

        // then
        assertThat(window.limit()).isEqualTo(1001 * MIB + MOST);
    }

    /** The reader has not taken everything yet: that much stays promised. */
    @Test
    void shouldKeepWhatIsStillPromisedWhenSomethingIsGivenBack() {
        // given
        Window window = carrying(window(), 1000 * MIB);

        // when
        window.givenBack(11 * MIB, 1000 * MIB);

        // then
        assertThat(window.limit()).isEqualTo(1021 * MIB);
        assertThat(budget.freeBytes()).isEqualTo(128 * MIB - 20 * MIB);
    }

    @Test
    void shouldShrinkByWhatIsTakenAndNeverTakeBackWhenOthersCome() {
        // given
        Window first = carrying(window(), 1000 * MIB);
        List<Window> others = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            others.add(carrying(window(), 1000 * MIB));
        }

        // when then
        assertThat(carrying(first, 1001 * MIB).limit()).isEqualTo(1000 * MIB + MOST);
        carrying(first, 2000 * MIB);
        assertThat(first.bytes()).isBetween(MIB, MOST / 2);
        others.forEach(Window::release);
        assertThat(carrying(first, 2001 * MIB).bytes()).isGreaterThan(MOST / 2);
        first.release();
        first.release();
        assertThat(budget.freeBytes()).isEqualTo(128 * MIB);
    }
}
