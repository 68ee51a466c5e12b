package io.longhaul.gridftp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.FilePath;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class PlacesTest {
    private final Places places = new Places(FilePath.of("/base/dir"), "owner", new Random(1));

    @Test
    void shouldStayWithinTheLimitWhenANameIsLong() {
        String temporary = places.temporary(FilePath.of("/d/" + "x".repeat(100) + "\u4e2d".repeat(51)));

        assertThat(temporary).startsWith("/base/dir/d/.xxx").matches(".*\u4e2d\\.lh-[0-9a-f]{16}");
        String name = temporary.substring(temporary.lastIndexOf('/') + 1);
        assertThat(name.getBytes(StandardCharsets.UTF_8)).hasSizeBetween(250, 255);
    }

    @Test
    void shouldKnowItsOwnAndOthersWhenFilesWereLeft() {
        String used = places.temporary(FilePath.of("/f"));
        String left = new Places(FilePath.ROOT, "owner", new Random(2)).temporary(FilePath.of("/f"));
        String others = new Places(FilePath.ROOT, "other", new Random(3)).temporary(FilePath.of("/f"));

        assertThat(places.isLeft(used)).isFalse();
        assertThat(places.isLeft(left)).isTrue();
        assertThat(places.isLeft(others)).isFalse();
        assertThat(Places.isTemporary(others.substring(1))).isTrue();
        assertThat(Places.isTemporary(".f.lh-x")).isFalse();
        places.done(used);
        assertThat(places.isLeft(used)).isTrue();
    }

    @Test
    void shouldHideWhatBeginsWithoutADotWhereTheServerTakesNothingElse() {
        String bare = places.bare(FilePath.of("/d/f"));

        assertThat(bare).matches("/base/dir/d/f\\.lh-[0-9a-f]{16}");
        assertThat(Places.isTemporary("f.lh-0123456789abcdef")).isTrue();
        assertThat(Places.isTemporary("a\u0085b\u2028c.lh-0123456789abcdef")).isTrue();
        assertThat(Places.isTemporary(".lh-0123456789abcdef")).isFalse();
        assertThat(places.temporary(FilePath.of("/g"))).startsWith("/base/dir/.g.");
        places.taken(bare);
        assertThat(places.temporary(FilePath.of("/g"))).startsWith("/base/dir/g.");
        places.done(bare);
        assertThat(places.isLeft(bare)).isTrue();
    }

    @Test
    void shouldFindTheNameAgainWhenAFileWasPutAside() {
        String aside = places.aside(FilePath.of("/d/f")).orElseThrow();
        String name = aside.substring(aside.lastIndexOf('/') + 1);

        assertThat(aside).isEqualTo("/base/dir/d/" + name);
        assertThat(places.putAside(name)).contains("f");
        assertThat(places.isLeft(aside)).isFalse();
        assertThat(Places.isTemporary(name)).isTrue();
        assertThat(places.putAside(name.replace(".f.", ".a\tb."))).contains("a\tb");
        assertThat(places.putAside(name.replace(".f.", "...."))).isEmpty();
        assertThat(places.putAside(name.replace(".f.", ".a\nb."))).isEmpty();
        assertThat(places.putAside('.' + name + name.substring(name.indexOf(".lh-"))))
                .as("what was put aside twice")
                .isEmpty();
        assertThat(places.aside(FilePath.ROOT)).isEmpty();
    }

    @Test
    void shouldHaveANameForEachFileThatIsPutAsideWhenItsOwnIsLong() {
        String aside = places.aside(FilePath.of("/" + "x".repeat(234) + "1")).orElseThrow();
        String name = aside.substring(aside.lastIndexOf('/') + 1);

        assertThat(name).hasSize(255);
        assertThat(Places.isTemporary(name)).isTrue();
        assertThat(places.isLeft(aside)).isFalse();
        assertThat(places.putAside(name)).isEmpty();
        assertThat(places.aside(FilePath.of("/" + "x".repeat(234) + "1"))).contains(aside);
        assertThat(places.aside(FilePath.of("/" + "x".repeat(234) + "2")))
                .isNotEmpty()
                .isNotEqualTo(Optional.of(aside));
    }

    @Test
    void shouldFollowWhatIsInUseWhenItsDirectoriesHaveOtherNames() {
        String used = places.temporary(FilePath.of("/d/sub/f"));
        String beside = places.temporary(FilePath.of("/dd/f"));

        places.renamed(FilePath.of("/d/sub"), FilePath.of("/d/other"));
        places.renamed(FilePath.of("/d"), FilePath.of("/e/d"));

        String now = used.replace("/d/sub/", "/e/d/other/");
        assertThat(places.now(used)).isEqualTo(now);
        assertThat(places.ofAnotherLogin().now(used)).isEqualTo(now);
        assertThat(places.isLeft(now)).isFalse();
        assertThat(places.now(beside)).isEqualTo(beside);
        places.done(used);
        assertThat(places.isLeft(now)).isTrue();
    }

    @Test
    void shouldRefuseNamesThatEndALineOrThatNobodySees() {
        assertThat(places.of(FilePath.ROOT)).isEqualTo("/base/dir");
        assertThat(places.of(FilePath.of("/a/../b"))).isEqualTo("/base/dir/b");
        assertThat(places.of(FilePath.of("/a\tb"))).isEqualTo("/base/dir/a\tb");
        assertThatThrownBy(() -> places.of(FilePath.of("/a\r\nDELE x"))).isInstanceOf(BackendException.class);
        assertThatThrownBy(() -> places.of(FilePath.of("/.f.lh-0123456789abcdef/x")))
                .isInstanceOf(BackendException.class);
    }
}
