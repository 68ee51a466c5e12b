package io.longhaul.wire;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SymlinkTargetTest {

    @ParameterizedTest
    @CsvSource({
        "link, file",
        "link, ./file",
        "link, a/b//c/",
        "a/link, ..",
        "a/link, ../b",
        "a/b/link, ../../x",
        "a/b/link, ./.././../x",
        "link, ...",
        "link, a..b/..c",
    })
    void shouldTakeALinkWhenItStaysInside(String path, String target) {
        assertThatCode(() -> SymlinkTarget.check(path, target)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "link, /etc/passwd",
        "link, /",
        "link, ..",
        "link, ../x",
        "link, ./..",
        "a/link, ../..",
        "a/link, ../../a",
        "a/b/c/link, ../../../../x",
        "a/link, ''",
    })
    void shouldRefuseALinkWhenItLeadsOut(String path, String target) {
        assertThatThrownBy(() -> SymlinkTarget.check(path, target))
                .isInstanceOf(WireException.class)
                .hasMessageContaining(Names.shown(path));
    }

    @ParameterizedTest
    @CsvSource({"a/b, c/..", "a/b/c, d/../../..", "dir/down/up, x/./../y"})
    void shouldRefuseALinkWhenItStepsUpBehindAStepDown(String path, String target) {
        // a/b -> c/.. leaves the tree where c is a link to a directory above
        assertThatThrownBy(() -> SymlinkTarget.check(path, target))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("only at the start");
    }

    @Test
    void shouldRefuseALinkWhenItsTargetIsNoName() {
        for (String target : new String[] {"a\0b", "\ud800", "é".repeat(2049)}) {
            assertThatThrownBy(() -> SymlinkTarget.check("link", target)).isInstanceOf(WireException.class);
        }
    }
}
