package io.longhaul.gridftp.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PathWordsTest {
    private static FilePath path(String text) {
        return FilePath.of(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/home/ann/f: No such file or directory | /f: No such file or directory",
                "/home/ann: Permission denied | /: Permission denied",
                "550 cannot open '/home/ann/a b.nc'. | 550 cannot open '/a b.nc'.",
                "it is in /home/ann. | it is in /.",
                "/home/anna/f, /home/ann.old/f, /home/ann-2 | /home/anna/f, /home/ann.old/f, /home/ann-2",
                "127.0.0.1:21/home/ann/f, /x/home/ann/f | 127.0.0.1:21/home/ann/f, /x/home/ann/f"
            })
    void shouldNotTellWhereTheRootIs(String said, String told) {
        assertThat(PathWords.below(path("/home/ann")).in(said)).isEqualTo(told);
    }

    @Test
    void shouldTellEachPathOnceWhenWhatItBecomesBeginsAsAnother() {
        PathWords words = new PathWords(Map.of(path("/x"), path("/y/x"), path("/y"), path("/y/y")));

        assertThat(words.in("/x/1 to /y/2")).isEqualTo("/y/x/1 to /y/y/2");
    }

    @Test
    void shouldTellTheRootWhereAMessageBeginsWithIt() {
        PathWords words = new PathWords(Map.of(FilePath.ROOT, path("/a")));

        assertThat(words.in("/: the server said 550 no / End.")).isEqualTo("/a: the server said 550 no / End.");
    }

    @Test
    void shouldKeepWhatElseIsKnownOfAFailure() {
        // given
        BackendException failure =
                BackendException.away("/home/ann/f: Connection refused", null).untried();
        PathWords words = PathWords.below(path("/home/ann"));

        // when
        CompletableFuture<Void> told = words.told(CompletableFuture.failedFuture(failure));

        // then
        assertThatThrownBy(told::join).cause().isInstanceOfSatisfying(BackendException.class, known -> {
            assertThat(known).hasMessage("/f: Connection refused");
            assertThat(known.isAway()).isTrue();
            assertThat(known.isUntried()).isTrue();
        });
    }
}
