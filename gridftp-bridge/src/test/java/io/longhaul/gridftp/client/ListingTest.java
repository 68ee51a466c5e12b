package io.longhaul.gridftp.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.protocol.FactLine;
import io.longhaul.gridftp.spi.Entry;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ListingTest {
    @Test
    void shouldEndLinesAtALineFeedAndTheReturnsBeforeIt() {
        assertThat(Listing.split("a\r\nb\nc\r\r\nd\re\r\n\r\n\n\r\rf\r\nlast\r"))
                .containsExactly("a", "b", "c", "d\re", "\r\rf", "last\r");
        assertThat(Listing.split("")).isEmpty();
        assertThat(Listing.split("\r\n")).isEmpty();
    }

    @Test
    void shouldTellAllThatFactsSay() {
        // given
        FactLine line =
                FactLine.parse("type=file;SIZE=12;Modify=20260102030405;Perm=r;UNIX.mode=0100640;UNIX.owner=bob;"
                        + "UNIX.uid=1;UNIX.group=staff;UNIX.gid=2;Unique=3-4; a b");

        // then
        assertThat(Listing.entry(line, line.name()))
                .isEqualTo(new Entry(
                        "a b",
                        Entry.Type.FILE,
                        12,
                        Instant.parse("2026-01-02T03:04:05Z"),
                        false,
                        Optional.of(new Entry.Unix(
                                0640, 1, "bob", 1, "staff", 2, "3-4", Optional.empty(), Optional.empty()))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Size=-1",
                "Size=1234567890123456789",
                "Size=\u0661",
                "UNIX.mode=64",
                "UNIX.mode=0689",
                "Modify=now"
            })
    void shouldKnowNothingWhenAFactIsNone(String fact) {
        FactLine line = FactLine.parse("Type=file;" + fact + "; f");

        assertThat(Listing.entry(line, "f"))
                .isEqualTo(new Entry("f", Entry.Type.FILE, 0, Instant.EPOCH, true, Optional.empty()));
    }
}
