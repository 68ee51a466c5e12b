package io.longhaul.gridftp.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.protocol.DiskStack.Login;
import io.longhaul.gridftp.protocol.DiskStack.Url;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DiskStackTest {
    @Test
    void shouldReadUrlsWhenGlobusUrlCopySendsThem() {
        // given
        String captured = "file,gridftp_multicast:%3Burls%3D%23ftp%253A//localhost%253A12816/data/mc2?"
                + "%23ftp%253A//localhost%253A12817/data/mc3?";

        // when
        DiskStack stack = DiskStack.parse(captured);

        // then
        assertThat(stack.isLocal()).isTrue();
        assertThat(stack.copies())
                .containsExactly(
                        new Url("localhost", 12816, Optional.empty(), "/data/mc2"),
                        new Url("localhost", 12817, Optional.empty(), "/data/mc3"));
    }

    @Test
    void shouldTakeAnyCharacterOfANameThatIsNoControl() {
        DiskStack stack = DiskStack.parse("file,gridftp_multicast:urls%3D%23ftp%253A//h/a\u2028b");

        assertThat(stack.copies()).containsExactly(new Url("h", 21, Optional.empty(), "/a\u2028b"));
    }

    @Test
    void shouldHonourLocalWriteAndLeaveTheRestAsideWhenOptionsAreThere() {
        DiskStack stack = DiskStack.parse(
                "file,gridftp_multicast:urls%3D%23ftp%253A//h/a%252520b%2520c?P%253D2%23ftp%253A//u%253Ap@[::1]%253A9/c"
                        + "%3Bcc%3D1%3BP%3D4%3Btcpbs%3D1M%3Bsubject%3Dx%3Blocal_write%3Dn");

        assertThat(stack.isLocal()).isFalse();
        assertThat(stack.copies())
                .containsExactly(
                        new Url("h", 21, Optional.empty(), "/a b c"),
                        new Url("::1", 9, Optional.of(new Login("u", "p")), "/c"));
        assertThat(stack.copies().get(1)).hasToString("ftp://[::1]:9/c");
    }

    @Test
    void shouldTellTheUserFromThePasswordWhenColonsAreEscapedInThem() {
        // given
        String urls = "#ftp://a%253Ab:c%253Ad%2540e@h/f";

        // when
        DiskStack stack = DiskStack.parse("file,gridftp_multicast:urls=" + urls.replace("%", "%25"));

        // then
        assertThat(stack.copies().get(0).login()).contains(new Login("a:b", "c:d@e"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"default", "file", "file,gridftp_multicast:", "file,gridftp_multicast:%3B%3Burls%3D"})
    void shouldBeTheOrdinaryOneWhenThereAreNoUrls(String text) {
        assertThat(DiskStack.parse(text)).isEqualTo(new DiskStack(List.of(), true));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gsi",
                "",
                "file,gridftp_multicast:local_write=n",
                "file,gridftp_multicast:urls=#http://h/x",
                "file,gridftp_multicast:urls=#ftp://h",
                "file,gridftp_multicast:urls=#ftp://:x@h/f",
                "file,gridftp_multicast:urls=#ftp://%253Ax@h/f",
                "file,gridftp_multicast:urls=#ftp://h/a%250Db",
                "file,gridftp_multicast:urls=#ftp://h/%25FF",
                "file,gridftp_multicast:urls=#//",
                "file,gridftp_multicast:urls=##ftp://h:x/f"
            })
    void shouldSayWhatIsExpectedWhenItCannotBeRead(String text) {
        assertThatThrownBy(() -> DiskStack.parse(text))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("expected");
    }

    @Test
    void shouldBoundTheNumberOfPlaces() {
        String many = "file,gridftp_multicast:urls=" + "#ftp://h/f".repeat(65);

        assertThatThrownBy(() -> DiskStack.parse(many)).hasMessageContaining("at most 64");
    }
}
