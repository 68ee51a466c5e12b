package io.longhaul.gridftp.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.range.ByteRange;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses, times, markers, facts and paths as text. */
final class FormsTest {
    private static final InetSocketAddress FOUR = new InetSocketAddress("132.235.1.2", 6275);
    private static final InetSocketAddress SIX = new InetSocketAddress("1080::8:800:200c:417a", 5282);

    @Test
    void shouldReadAndWriteAddressesAsRfc959Says() {
        assertThat(DataAddress.parsePort("132,235,1,2,24,131")).isEqualTo(FOUR);
        assertThat(DataAddress.port(FOUR)).isEqualTo("132,235,1,2,24,131");
        assertThat(DataAddress.parsePasv("Entering Passive Mode (132,235,1,2,24,131)"))
                .isEqualTo(FOUR);
        assertThat(DataAddress.parseSpor("132,235,1,2,24,131 |1|132.235.1.2|6275|"))
                .containsExactly(FOUR, FOUR);
    }

    @Test
    void shouldReadAndWriteAddressesAsRfc2428Section2Says() {
        assertThat(DataAddress.parseEprt("|1|132.235.1.2|6275|")).isEqualTo(FOUR);
        assertThat(DataAddress.parseEprt("|2|1080::8:800:200C:417A|5282|")).isEqualTo(SIX);
        assertThat(DataAddress.eprt(FOUR)).isEqualTo("|1|132.235.1.2|6275|");
        assertThat(DataAddress.parseEprt(DataAddress.eprt(SIX))).isEqualTo(SIX);
        assertThat(DataAddress.parseEpsv("Entering Extended Passive Mode (|||6446|)"))
                .isEqualTo(6446);
        assertThat(DataAddress.parseEpsv("Entering (|1|132.235.1.2|6446|)")).isEqualTo(6446);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1,2,3,4,5", "1,2,3,256,5,6", "1,2,3,4,0,0", "a,b,c,d,e,f", "1,2,3,4,5,6,7"})
    void shouldRefuseWhenPortIsNoAddress(String text) {
        assertThatThrownBy(() -> DataAddress.parsePort(text)).isInstanceOf(ProtocolException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "|",
                "||||",
                "|3|1.2.3.4|5|",
                "|1|localhost|5|",
                "|1|1.2.3.4|0|",
                "|1|1.2.3.4|65536|",
                "|2|1.2.3.4|5|",
                "|1|::1|5|",
                "|1|1.2.3.4|5"
            })
    void shouldRefuseWhenEprtIsNoAddress(String text) {
        assertThatThrownBy(() -> DataAddress.parseEprt(text)).isInstanceOf(ProtocolException.class);
    }

    @Test
    void shouldReadAndWriteTimesAsRfc3659Section23Says() {
        assertThat(Timestamps.format(Instant.parse("2026-11-20T21:54:05.7Z"))).isEqualTo("20261120215405");
        assertThat(Timestamps.parse("19981105180000.25")).isEqualTo(Instant.parse("1998-11-05T18:00:00.25Z"));
        assertThat(Timestamps.parse("00010203040506.123456789"))
                .isEqualTo(Instant.parse("0001-02-03T04:05:06.123456789Z"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "yesterday",
                "20261345000000",
                "20260230000000",
                "20260101000060",
                "2026010100000",
                "20260101000000.",
                "20260101000000.1234567890",
                "20260101000000,5",
                "2026010100000a",
                "2026010100000\u0663"
            })
    void shouldRefuseWhenATimeIsNone(String text) {
        assertThatThrownBy(() -> Timestamps.parse(text)).isInstanceOf(ProtocolException.class);
    }

    @Test
    void shouldReadRestartMarkersOfBothForms() {
        assertThat(RestartMarker.parse("500").present()).containsExactly(new ByteRange(0, 500));
        assertThat(RestartMarker.parse("500").position()).isEqualTo(500);
        assertThat(RestartMarker.parse("0").isNone()).isTrue();
        assertThat(RestartMarker.parse("0-0").isNone()).isTrue();
        assertThat(RestartMarker.parse("0-100,300-400,90-120").present())
                .containsExactly(new ByteRange(0, 120), new ByteRange(300, 400));
        assertThat(RestartMarker.parse("10-20").position()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "a", "5-3", "1-2,", "99999999999999999999", "1-2-3"})
    void shouldRefuseWhenARestartMarkerIsNone(String text) {
        assertThatThrownBy(() -> RestartMarker.parse(text)).isInstanceOf(ProtocolException.class);
    }

    @Test
    void shouldWriteMarkersAsGfd20Section35Says() {
        Instant time = Instant.ofEpochMilli(1_795_211_645_849L);

        assertThat(Markers.performance(time, 1000).wireLines())
                .containsExactly(
                        "112-Perf Marker",
                        " Timestamp: 1795211645.8",
                        " Stripe Index: 0",
                        " Stripe Bytes Transferred: 1000",
                        " Total Stripe Count: 1",
                        "112 End.");
        assertThat(Markers.ranges(List.of(new ByteRange(0, 29), new ByteRange(30, 89)))
                        .wireLines())
                .containsExactly("111 Range Marker 0-29,30-89");
    }

    @Test
    void shouldDoubleQuotesWhenAPathHasThem() {
        assertThat(PathText.quoted("/a\"b")).isEqualTo("\"/a\"\"b\"");
        assertThat(PathText.unquoted("\"/a\"\"b\" is current")).isEqualTo("/a\"b");
        assertThatThrownBy(() -> PathText.unquoted("no quotes")).isInstanceOf(ProtocolException.class);
    }

    @Test
    void shouldShowOnlyChosenFactsAsRfc3659Section72Says() {
        // given
        FactLine line = new FactLine(Map.of(Fact.TYPE, "file", Fact.SIZE, "3", Fact.UNIX_OWNER, "a;b c"), "x y");

        // then
        assertThat(line.text(EnumSet.allOf(Fact.class))).isEqualTo("Type=file;Size=3;UNIX.owner=a?b?c; x y");
        assertThat(line.text(EnumSet.of(Fact.SIZE))).isEqualTo("Size=3; x y");
        assertThat(FactLine.parse(" type=dir;x.other=1;Size=7; a b"))
                .isEqualTo(new FactLine(Map.of(Fact.TYPE, "dir", Fact.SIZE, "7"), "a b"));
        assertThat(Fact.selection("type;SIZE;nonsense;")).isEqualTo(Set.of(Fact.TYPE, Fact.SIZE));
        assertThat(Fact.selection("Type*;Size;UNIX.mode*;")).isEqualTo(Set.of(Fact.TYPE, Fact.SIZE, Fact.UNIX_MODE));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Type=file;=1;;Size=3; x;y=1; z",
                " Type=file;Size=3;UNIX.owner; x;y=1; z",
                "TYPE=file; size =3 x;y=1; z"
            })
    void shouldReadFactsAsTheyAreWritten(String line) {
        assertThat(FactLine.parse(line).facts()).containsEntry(Fact.TYPE, "file");
        assertThat(FactLine.parse(line).name()).endsWith("x;y=1; z");
    }

    @ParameterizedTest
    @CsvSource({
        "2001-02-03T04:05:06.789Z, 20010203040506",
        "1000-01-01T00:00:00Z, 10000101000000",
        "9999-12-31T23:59:59Z, 99991231235959",
        "0999-12-31T23:59:59Z, 09991231235959",
        "+10000-01-01T00:00:00Z, +100000101000000",
        "1969-12-31T23:59:59.5Z, 19691231235959"
    })
    void shouldWriteTimesAsRfc3659Section23Says(Instant time, String text) {
        assertThat(Timestamps.format(time)).isEqualTo(text);
    }

    @Test
    void shouldNotCallALinkADirectoryWhenTheFactThatTellsThemApartIsNotChosen() {
        // given
        FactLine link = new FactLine(Map.of(Fact.TYPE, "dir", Fact.UNIX_SLINK, "/a b;Type=dir;\r\n"), "x");
        FactLine toFile = new FactLine(Map.of(Fact.TYPE, "file", Fact.UNIX_SLINK, "f"), "x");
        FactLine listed = new FactLine(Map.of(Fact.TYPE, "cdir", Fact.UNIX_SLINK, "/a"), ".");
        FactLine directory = new FactLine(Map.of(Fact.TYPE, "dir"), "x");

        // then
        assertThat(link.text(EnumSet.of(Fact.TYPE))).isEqualTo("Type=OS.unix=symlink; x");
        assertThat(link.text(EnumSet.allOf(Fact.class))).startsWith("Type=dir;UNIX.slink=/a?b?Type=dir?");
        assertThat(toFile.text(EnumSet.of(Fact.TYPE))).isEqualTo("Type=file; x");
        assertThat(listed.text(EnumSet.of(Fact.TYPE))).isEqualTo("Type=cdir; .");
        assertThat(directory.text(EnumSet.of(Fact.TYPE))).isEqualTo("Type=dir; x");
    }
}
