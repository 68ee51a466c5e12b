package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnownTest {
    private static final String A = "lh.sub.a@s";
    private static final String B = "lh.sub.b@s";

    @TempDir
    Path data;

    private final List<String> lines = new ArrayList<>();

    private Known open(List<String> links, boolean isPaired, String... restored) {
        Known known = new Known(links, data, isPaired, new QuietLog(RecordedLog.into(lines), () -> 0));
        known.load();
        List.of(restored).forEach(known::restore);
        return known;
    }

    private Known open(String... restored) {
        return open(List.of("hub:7400"), false, restored);
    }

    private static void learnAll(Known known) {
        known.learn(Set.of());
        known.keep();
    }

    @Test
    void shouldLetWaitWhatIsMadeUntilItIsLearned() {
        // given
        Known known = open();
        known.add(A);
        known.add(B);

        // when
        known.learn(Set.of("b"));

        // then
        assertThat(known.isWaiting("a")).isFalse();
        assertThat(known.isWaiting("b")).isTrue();
        assertThat(known.isWaiting("c")).as("nobody subscribes").isFalse();
    }

    @Test
    void shouldKnowAfterARestartOnlyWhatWasNoted() {
        // given
        Known known = open();
        known.add(A);
        learnAll(known);
        known.add(B);
        known.keep();

        // when
        Known again = open(A, B);

        // then
        assertThat(again.isWaiting("a")).isFalse();
        assertThat(again.isWaiting("b")).isTrue();
    }

    @Test
    void shouldLetAllWaitAfterARestartWhenNothingWasNoted() {
        // given
        Known known = open();
        known.add(A);
        known.learn(Set.of());

        // when then
        assertThat(known.isWaiting("a")).isFalse();
        assertThat(open(A).isWaiting("a")).isTrue();
    }

    @Test
    void shouldForgetWhatIsDropped() {
        // given
        Known known = open();
        known.add(A);
        learnAll(known);

        // when
        known.drop(A);
        known.keep();

        // then
        assertThat(open(A).isWaiting("a")).isTrue();
    }

    /** Whoever was told that it is gone need not have heard yet that there is one again. */
    @Test
    void shouldLetWaitWhatIsMadeAgainAlsoWhenItIsKilledAtOnce() {
        // given
        Known known = open();
        known.add(A);
        learnAll(known);

        // when
        known.drop(A);
        known.add(A);

        // then
        assertThat(known.isWaiting("a")).isTrue();
        assertThat(open(A).isWaiting("a")).isTrue();
    }

    @Test
    void shouldLetWaitWhatIsMadeAgainWhenItWasGoneAtTheStart() {
        // given
        Known known = open();
        known.add(A);
        learnAll(known);

        // when
        Known again = open();
        again.add(A);

        // then
        assertThat(again.isWaiting("a")).isTrue();
        assertThat(open(A).isWaiting("a")).isTrue();
    }

    @Test
    void shouldLetAllWaitAndSaySoWhenTheNoteIsDamaged() throws IOException {
        // given
        Known known = open();
        known.add(A);
        learnAll(known);
        Path note = data.resolve("known");

        // when
        Files.writeString(note, Files.readString(note).replace("crc ", "crc 0"));

        // then
        assertThat(open(A).isWaiting("a")).isTrue();
        assertThat(lines).singleElement().asString().contains(note.toString(), "expected crc");
    }

    @Test
    void shouldLetAllWaitWhenTheLinksAreOthers() {
        // given
        Known known = open();
        known.add(A);
        learnAll(known);

        // when then
        assertThat(open(List.of("other:7400"), false, A).isWaiting("a")).isTrue();
    }

    @Test
    void shouldNoteNothingWithoutALinkOrInAPair() {
        // given
        Known before = open();
        before.add(A);
        learnAll(before);

        // when
        for (Known each : List.of(open(List.of(), false), open(List.of("hub:7400"), true))) {
            each.add(A);
            learnAll(each);

            // then
            assertThat(data).isEmptyDirectory();
        }
        assertThat(open(A).isWaiting("a")).isTrue();
    }

    @Test
    void shouldSayOnceThatTheNoteCannotBeWrittenAndWriteItAsSoonAsItCan() throws IOException {
        // given
        Path inTheWay = Files.createDirectory(data.resolve("known.new"));
        Known known = open();
        known.add(A);

        // when
        learnAll(known);
        known.keep();

        // then
        assertThat(lines).singleElement().asString().contains("cannot be noted", inTheWay.toString());

        // when
        Files.delete(inTheWay);
        known.keep();

        // then
        assertThat(open(A).isWaiting("a")).isFalse();
    }

    @Test
    void shouldNoteNoMoreThanFitsAndLetTheOthersWait() throws IOException {
        // given
        Known known = open();
        for (int i = 0; i <= 10_000; i++) {
            known.add("lh.sub.t" + i + "@s");
        }

        // when
        learnAll(known);

        // then
        assertThat(Files.readAllLines(data.resolve("known"))).hasSize(10_000 + 3);
    }
}
