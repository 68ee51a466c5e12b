package io.longhaul.gridftp.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.spi.Entry;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class UnixListingTest {
    private static final Instant NOW = Instant.parse("2026-02-01T12:00:00Z");

    private static Entry parse(String line) {
        return UnixListing.parse(line, NOW).orElseThrow();
    }

    @Test
    void shouldReadNamesTimesAndModesWhenALineIsLikeLs() {
        Entry file = parse("-rw-r-x--T    1 ftp      ftp          5242 Jan 21 19:47 two  words ");
        assertThat(file.name()).isEqualTo("two  words ");
        assertThat(parse("-rw-r--r-- 1 0 0 1 Nov 21 19:47 a\u0085b\u2028c").name())
                .isEqualTo("a\u0085b\u2028c");
        assertThat(file.length()).isEqualTo(5242);
        assertThat(file.modified()).isEqualTo(Instant.parse("2026-01-21T19:47:00Z"));
        assertThat(file.unix().orElseThrow().mode()).isEqualTo(0650);

        Entry old = parse("-rw-r--r-- 1 0 0 1 Nov 21 19:47 f");
        assertThat(old.modified()).isEqualTo(Instant.parse("2025-11-21T19:47:00Z"));
        assertThat(parse("drwxr-xr-x+  2 a b 4096 Feb 29  2024 d").isDirectory())
                .isTrue();

        assertThat(parse("prw-r--r-- 1 a b 0 Nov 21 19:47 p").type()).isEqualTo(Entry.Type.SPECIAL);

        Entry link = parse("lrwxrwxrwx 1 a b 7 Nov 21 19:47 link -> f -> g");
        assertThat(link.name()).isEqualTo("link");
        assertThat(link.type()).isEqualTo(Entry.Type.OTHER);
        assertThat(link.unix().orElseThrow().linkTarget()).contains("f -> g");
    }

    @Test
    void shouldFindTheYearOfALeapDayThatIsSomeMonthsAgo() {
        assertThat(UnixListing.parse("-rw-r--r-- 1 0 0 1 Feb 29 19:47 f", Instant.parse("2025-01-10T12:00:00Z"))
                        .orElseThrow()
                        .modified())
                .isEqualTo(Instant.parse("2024-02-29T19:47:00Z"));
    }

    @Test
    void shouldSeeNothingWhenALineTellsOfNothing() {
        assertThat(UnixListing.parse("total 12", NOW)).isEmpty();
        assertThat(UnixListing.parse("", NOW)).isEmpty();
        assertThat(parse("-rw-r--r-- 1 0 0 1 Feb 30 19:47 f").modified()).isEqualTo(Instant.EPOCH);
    }
}
