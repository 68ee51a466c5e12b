package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UntoldTest {
    @TempDir
    Path data;

    private Untold open() {
        Untold untold = new Untold(1, data);
        untold.load();
        return untold;
    }

    @Test
    void shouldNoteOnlyWhatIsUntoldWhileNoLinkStands() {
        // given
        Untold untold = open();
        untold.add("early");
        untold.told(topic -> false);
        assertThat(open().contains("early")).as("noted with a link").isFalse();

        // when
        untold.keep();
        untold.add("late");
        untold.told(topic -> false);

        // then
        assertThat(open().contains("early")).isTrue();
        assertThat(open().contains("late")).isFalse();
    }

    @Test
    void shouldForgetWhatIsTold() {
        // given
        Untold untold = open();
        untold.add("a");
        untold.add("b");
        untold.keep();

        // when
        untold.told("a"::equals);

        // then
        assertThat(open().contains("a")).isFalse();
        assertThat(open().contains("b")).isTrue();
    }

    @Test
    void shouldTakeADamagedNoteForNone() throws IOException {
        // given
        Untold untold = open();
        untold.add("a");
        untold.keep();

        // when
        Files.writeString(data.resolve("untold"), "longhaul-untold 1\nb\ncrc 00000000\n");

        // then
        assertThat(open().contains("b")).isFalse();
    }
}
