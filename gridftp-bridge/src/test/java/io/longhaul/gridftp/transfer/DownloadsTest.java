package io.longhaul.gridftp.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.call.Caller;
import io.longhaul.gridftp.content.ContentStore;
import io.longhaul.gridftp.post.FakePosts.Faults;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Source;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DownloadsTest {
    private static final int LENGTH = 3_000_000;
    private static final byte[] BYTES = TwoEnds.bytes(1, LENGTH);
    private static final Instant LONG_AGO = Instant.parse("2020-01-01T00:00:00Z");

    @TempDir
    private Path directory;

    private TwoEnds ends(Faults faults) {
        TwoEnds ends = new TwoEnds(directory, 7, faults).start();
        ends.server.put("/f", BYTES, LONG_AGO);
        return ends;
    }

    private static byte[] both(byte[] first, byte[] second) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(first);
        out.writeBytes(second);
        return out.toByteArray();
    }

    @Test
    void shouldComeAsItIsWhenTheNetworkLosesAndRepeats() {
        TwoEnds ends = ends(Faults.MANY);
        ends.server.put("/empty", new byte[0], LONG_AGO);

        assertThat(ends.download("/f")).isEqualTo(BYTES);
        assertThat(ends.download("/empty")).isEmpty();
    }

    @Test
    void shouldCarryOnlyWhatIsWantedWhenAPartIsRead() {
        // given
        TwoEnds ends = ends(Faults.NONE);

        // when
        byte[] parts = ends.download("/f", new ByteRange(5, 1005), new ByteRange(2_999_000, 9_000_000));

        // then
        assertThat(parts)
                .isEqualTo(both(Arrays.copyOfRange(BYTES, 5, 1005), Arrays.copyOfRange(BYTES, 2_999_000, LENGTH)));
        assertThat(ends.posts.blockBytes()).isEqualTo(2000);
        assertThat(ends.server.read()).isEqualTo(2000);
    }

    @Test
    void shouldCrossOnlyOnceWhenAClientAsksAgain() {
        // given
        TwoEnds ends = ends(Faults.NONE);
        Source cut = ends.await(ends.reading("/f"));
        ends.rest(cut, 1_000_000);
        cut.close();
        ends.time.advance(Duration.ofSeconds(5));

        // then
        assertThat(ends.download("/f")).isEqualTo(BYTES);
        assertThat(ends.posts.blockBytes()).isEqualTo(LENGTH);

        // when
        ends.killFront();
        ends.startFront();

        // then
        assertThat(ends.download("/f")).isEqualTo(BYTES);
        assertThat(ends.posts.blockBytes()).isEqualTo(LENGTH);
        assertThat(ends.server.read()).isEqualTo(LENGTH);
    }

    @Test
    void shouldKeepNothingInUseWhenAllOfAFileWasSent() {
        // given
        TwoEnds ends = new TwoEnds(directory, 7, Faults.NONE);
        ends.backLimits = new ContentStore.Limits(1L << 30, Duration.ofHours(24), 0, 1);
        ends.start();
        ends.server.put("/f", BYTES, LONG_AGO);

        // when
        ends.download("/f");

        // then
        assertThat(ends.backStore.isFull()).isTrue();
        ends.time.advance(Duration.ofSeconds(30));
        assertThat(ends.backStore.isFull()).isFalse();
        assertThat(ends.download("/f")).isEqualTo(BYTES);
        assertThat(ends.server.read()).isEqualTo(LENGTH);
    }

    @Test
    void shouldStayInUseWhenAFileThatWasSentIsAskedForAgain() {
        // given
        TwoEnds ends = new TwoEnds(directory, 7, Faults.NONE);
        ends.backLimits = new ContentStore.Limits(1L << 30, Duration.ofHours(24), 0, 1);
        ends.frontLimits = new ContentStore.Limits(0, Duration.ofHours(24), 0, 100);
        ends.start();
        ends.server.put("/f", BYTES, LONG_AGO);
        ends.download("/f");
        ends.time.advance(Duration.ofSeconds(1));
        ends.frontStore.sweep();

        // when
        ends.await(ends.reading("/f"));
        ends.killFront();

        // then
        ends.time.advance(Duration.ofSeconds(30));
        assertThat(ends.backStore.isFull()).isTrue();
    }

    @Test
    void shouldBeRefusedWhenItIsADirectoryWithoutALength() {
        TwoEnds ends = ends(Faults.NONE);

        assertThatThrownBy(() -> ends.await(ends.reading("/"))).hasStackTraceContaining("/: Is a directory");
    }

    @Test
    void shouldComeAsItIsNowWhenTheFileWasChanged() {
        // given
        TwoEnds ends = ends(Faults.NONE);
        ends.download("/f");
        byte[] other = TwoEnds.bytes(2, LENGTH);

        // when
        ends.server.put("/f", other, LONG_AGO.plusSeconds(1));

        // then
        assertThat(ends.download("/f")).isEqualTo(other);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldComeAsItIsNowWhenItWasReplacedThroughTheBackAndHasItsOldTime(boolean isRestarted) {
        // given
        TwoEnds ends = ends(Faults.NONE);
        ends.download("/f");
        byte[] other = TwoEnds.bytes(2, LENGTH);

        // when
        ends.upload("/f", other);
        ends.server.put("/f", other, LONG_AGO);
        if (isRestarted) {
            ends.killBack();
            ends.startBack();
        }

        // then
        assertThat(ends.download("/f")).isEqualTo(other);
    }

    @Test
    void shouldComeAsItIsNowWhenTheFileWasChangedTwiceInASecond() {
        // given
        TwoEnds ends = ends(Faults.NONE);
        Instant now = ends.time.clock().instant();
        ends.server.put("/f", BYTES, now);
        ends.time.advance(Duration.ofMillis(500));
        assertThat(ends.download("/f")).isEqualTo(BYTES);
        byte[] other = TwoEnds.bytes(2, LENGTH);

        // when
        ends.server.put("/f", other, now);
        ends.time.advance(Duration.ofMinutes(1));

        // then
        assertThat(ends.download("/f")).isEqualTo(other);
    }

    @Test
    void shouldCrossOnlyOnceWhenTheFileWasReadJustAfterItWasMade() {
        // given
        TwoEnds ends = ends(Faults.NONE);
        ends.server.put("/f", BYTES, ends.time.clock().instant());
        assertThat(ends.download("/f")).isEqualTo(BYTES);
        ends.time.advance(Duration.ofMinutes(1));

        // when
        ends.killFront();
        ends.startFront();

        // then
        assertThat(ends.download("/f")).isEqualTo(BYTES);
        assertThat(ends.posts.blockBytes()).isEqualTo(LENGTH);
    }

    @Test
    void shouldComeAnewWhenTheBackCannotSayWhetherItIsTheSame() {
        // given
        TwoEnds ends = ends(Faults.NONE);
        ends.server.put("/f", BYTES, ends.time.clock().instant());
        ends.download("/f");
        ends.server.hasChecksums = false;

        // then
        assertThat(ends.download("/f")).isEqualTo(BYTES);
        assertThat(ends.posts.blockBytes()).isEqualTo(2L * LENGTH);
    }

    @Test
    void shouldFailWhenTheFileIsChangedWhileItIsRead() {
        // given
        TwoEnds ends = ends(Faults.NONE);
        ends.server.put("/f", TwoEnds.bytes(3, 90_000_000), LONG_AGO);
        Source source = ends.await(ends.reading("/f"));
        ends.rest(source, 500_000);

        // when
        ends.killBack();
        ends.server.put("/f", TwoEnds.bytes(2, 90_000_000), LONG_AGO.plusSeconds(1));
        ends.startBack();

        // then
        assertThatThrownBy(() -> ends.rest(source, Integer.MAX_VALUE))
                .cause()
                .isInstanceOf(BackendException.class)
                .hasMessageContaining("changed while it was read");
    }

    /** Its first bytes would be of one version, and its last ones of the other. */
    @Test
    void shouldFailWhenTheFileIsReplacedThroughTheBackAndHasItsOldTimeWhileItIsRead() {
        // given
        TwoEnds ends = ends(Faults.NONE);
        ends.server.put("/f", TwoEnds.bytes(3, 300_000_000), LONG_AGO);
        Source source = ends.await(ends.reading("/f"));
        ends.rest(source, 500_000);

        // when
        ends.upload("/f", TwoEnds.bytes(2, 1_000));
        ends.server.put("/f", TwoEnds.bytes(2, 300_000_000), LONG_AGO);

        // then
        assertThatThrownBy(() -> ends.rest(source, Integer.MAX_VALUE))
                .cause()
                .isInstanceOf(BackendException.class)
                .hasMessageContaining("changed while it was read");
    }

    @Test
    void shouldGoOnWhenBackAndServerWereAway() {
        // given
        TwoEnds ends = ends(Faults.MANY);
        byte[] many = TwoEnds.bytes(3, 20_000_000);
        ends.server.put("/f", many, LONG_AGO);
        Source source = ends.await(ends.reading("/f"));
        byte[] first = ends.rest(source, 500_000);

        // when
        ends.killBack();
        ends.server.away(true);
        ends.time.advance(Duration.ofMinutes(2));
        ends.startBack();
        ends.time.advance(Duration.ofMinutes(1));
        ends.server.away(false);

        // then
        assertThat(both(first, ends.rest(source, Integer.MAX_VALUE))).isEqualTo(many);
    }

    @Test
    void shouldSayWhatTheServerSaysWhenThereIsNoSuchFile() {
        TwoEnds ends = ends(Faults.NONE);

        assertThatThrownBy(() -> ends.await(ends.reading("/none")))
                .cause()
                .isInstanceOfSatisfying(
                        BackendException.class, e -> assertThat(e.code()).isEqualTo(Code.NOT_FOUND));
    }

    @Test
    void shouldFailWhenTheDiskOfTheBackIsFullWhileItIsRead() {
        // given
        FullDisk disk = new FullDisk();
        TwoEnds ends = new TwoEnds(directory, 7, Faults.NONE);
        ends.backDisk = disk.disk;
        ends.start();
        ends.server.put("/f", TwoEnds.bytes(3, 90_000_000), LONG_AGO);
        Source source = ends.await(ends.reading("/f"));

        // when
        disk.full.set(true);

        // then
        assertThatThrownBy(() -> ends.rest(source, Integer.MAX_VALUE))
                .cause()
                .isInstanceOfSatisfying(
                        BackendException.class, e -> assertThat(e.code()).isEqualTo(Code.NO_SPACE));
    }

    @Test
    void shouldComeWhenWhoReadBeforeHasGoneAndLeftMuchBehind() {
        // given
        TwoEnds ends = ends(Faults.NONE);
        ends.server.put("/f", new byte[400_000_000], LONG_AGO);
        Source source = ends.await(ends.reading("/f"));
        ends.time.advance(Duration.ofSeconds(30));

        // when
        source.close();

        // then
        assertThat(ends.download("/f", new ByteRange(390_000_000, 391_000_000))).hasSize(1_000_000);
    }

    @Test
    void shouldNotRunFarAheadWhenTheClientIsSlow() {
        // given
        TwoEnds ends = ends(Faults.NONE);
        ends.server.put("/f", new byte[400_000_000], LONG_AGO);

        // when
        Source source = ends.await(ends.reading("/f"));
        ends.time.advance(Duration.ofSeconds(30));

        // then
        assertThat(ends.server.read()).isLessThan(250_000_000);
        source.close();
    }

    @Test
    void shouldBeginWhenTheServerWasAwayForAMinute() {
        // given
        TwoEnds ends = ends(Faults.NONE);
        ends.server.away(true);

        // when
        CompletableFuture<Source> reading = ends.reading("/f");
        ends.time.advance(Duration.ofSeconds(65));

        // then
        assertThat(reading).isNotDone();
        ends.server.away(false);
        assertThat(ends.rest(ends.await(reading), Integer.MAX_VALUE)).isEqualTo(BYTES);

        // when it does not
        ends.server.away(true);
        CompletableFuture<Source> given = ends.reading("/f");
        ends.time.advance(Caller.SERVER_PATIENCE.plusSeconds(2));

        // then
        assertThatThrownBy(given::join)
                .cause()
                .isInstanceOfSatisfying(
                        BackendException.class, e -> assertThat(e.code()).isEqualTo(Code.UNAVAILABLE));
    }
}
