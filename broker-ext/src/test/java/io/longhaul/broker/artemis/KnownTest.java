package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

class KnownTest {
    private static final String A = "lh.sub.a@s";
    private static final String B = "lh.sub.b@s";

    private final List<String> lines = new ArrayList<>();
    private String noted = "";
    private boolean full;

    private final Known.Note note = new Known.Note() {
        @Override
        public String read() {
            return noted;
        }

        @Override
        public void write(String text) {
            if (full) {
                throw new IllegalStateException("no room");
            }
            noted = text;
        }
    };

    private Known open(List<String> links, String... restored) {
        Logger logger = (Logger) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Logger.class}, (self, method, arguments) -> {
                    lines.add(Arrays.deepToString(arguments));
                    return null;
                });
        Known known = new Known(links, note, new QuietLog(logger, () -> 0));
        known.load();
        List.of(restored).forEach(known::restore);
        return known;
    }

    private Known open(String... restored) {
        return open(List.of("hub:7400"), restored);
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
    void shouldLetAllWaitWhenTheLinksAreOthers() {
        // given
        Known known = open();
        known.add(A);
        learnAll(known);

        // when then
        assertThat(open(List.of("other:7400"), A).isWaiting("a")).isTrue();
    }

    @Test
    void shouldNoteNothingWithoutALink() {
        // given
        Known before = open();
        before.add(A);
        learnAll(before);

        // when
        Known lone = open(List.of());
        lone.add(A);
        learnAll(lone);

        // then
        assertThat(noted).isEmpty();
        assertThat(open(A).isWaiting("a")).isTrue();
    }

    @Test
    void shouldSayOnceThatTheNoteCannotBeWrittenAndWriteItAsSoonAsItCan() {
        // given
        full = true;
        Known known = open();
        known.add(A);

        // when
        learnAll(known);
        known.keep();

        // then
        assertThat(lines).singleElement().asString().contains("cannot be noted", "no room");

        // when
        full = false;
        known.keep();

        // then
        assertThat(open(A).isWaiting("a")).isFalse();
    }

    @Test
    void shouldNoteNoMoreThanFitsAndLetTheOthersWait() {
        // given
        Known known = open();
        for (int i = 0; i <= 10_000; i++) {
            known.add("lh.sub.t" + i + "@s");
        }

        // when
        learnAll(known);

        // then
        assertThat(noted.length()).isBetween(QueueNote.MOST_CHARACTERS - 100, QueueNote.MOST_CHARACTERS);
        Known again = open("lh.sub.t0@s", "lh.sub.t9999@s");
        assertThat(again.isWaiting("t0")).isFalse();
        assertThat(again.isWaiting("t9999")).isTrue();
    }
}
