package io.longhaul.gridftp.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.call.Caller;
import io.longhaul.gridftp.post.FakePosts.Faults;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.FilePath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SpooledFirstTest {
    private static final FilePath FILE = FilePath.of("/d/f");
    private static final byte[] OLD = TwoEnds.bytes(1, 1_000);
    private static final byte[] NEW = TwoEnds.bytes(2, 100_000);

    @TempDir
    private Path directory;

    private TwoEnds ends;

    @BeforeEach
    void spool() {
        ends = new TwoEnds(directory, 7, Faults.NONE);
        ends.untilDelivered = false;
        ends.start();
        ends.server.put("/d/f", OLD, ends.time.clock().instant());
        ends.server.away(true);
        ends.upload("/d/f", NEW);
    }

    private CompletableFuture<byte[]> use(FilePath path) {
        return ends.spooled.use("back", path, () -> CompletableFuture.completedFuture(ends.server.file("/d/f")));
    }

    private CompletableFuture<byte[]> change(FilePath... paths) {
        return ends.spooled.change(
                "back", List.of(paths), () -> CompletableFuture.completedFuture(ends.server.file("/d/f")));
    }

    private CompletableFuture<byte[]> look(FilePath path) {
        return ends.spooled.look("back", path, () -> CompletableFuture.completedFuture(ends.server.file("/d/f")));
    }

    @Test
    void shouldUseWhatWasSpooledWhenTheServerIsBack() {
        // given
        CompletableFuture<byte[]> used = use(FILE);
        CompletableFuture<byte[]> below = change(FilePath.of("/e"), FILE.parent());
        ends.time.advance(Duration.ofSeconds(5));
        assertThat(List.of(used, below)).noneMatch(CompletableFuture::isDone);

        // when
        ends.server.away(false);

        // then
        assertThat(ends.await(used)).isEqualTo(NEW);
        assertThat(ends.await(below)).isEqualTo(NEW);
        assertThat(use(FILE).join()).isEqualTo(NEW);
        assertThat(look(FILE).join()).isEqualTo(NEW);
    }

    @Test
    void shouldNotWaitForOtherPaths() {
        assertThat(change(FilePath.of("/d/other"), FILE.child("x"))).isCompletedWithValue(OLD);
        assertThat(use(FILE.parent())).isCompletedWithValue(OLD);
        assertThat(look(FILE.parent())).isCompletedWithValue(OLD);
    }

    @Test
    void shouldFailWhenTheServerStaysAway() {
        // given
        CompletableFuture<byte[]> used = use(FILE);

        // when
        ends.time.advance(Caller.PATIENCE.plusSeconds(1));

        // then
        assertThatThrownBy(used::join)
                .rootCause()
                .hasMessageContaining("/d/f: what was sent before is not at the server");
    }

    @Test
    void shouldLookAllTheSameWhenTheServerStaysAway() {
        // given
        CompletableFuture<byte[]> looked = look(FILE);

        ends.time.advance(Duration.ofSeconds(9));
        assertThat(looked).isNotDone();

        // when
        ends.time.advance(Duration.ofSeconds(2));

        // then
        assertThat(looked).isCompletedWithValue(OLD);
    }

    @Test
    void shouldNotSayThatThereIsNothingWhenSomethingWasSent() {
        // given
        CompletableFuture<byte[]> looked = ends.spooled.look(
                "back", FILE, () -> CompletableFuture.failedFuture(new BackendException(Code.NOT_FOUND, "none")));

        // when
        ends.time.advance(Duration.ofSeconds(11));

        // then
        assertThatThrownBy(looked::join)
                .rootCause()
                .hasMessageContaining("/d/f: what was sent before is not at the server");
    }

    @Test
    void shouldNotWaitForWhatIsSentLater() {
        // given
        CompletableFuture<byte[]> used = use(FILE);
        ends.upload("/d/later", OLD);

        // when
        ends.server.away(false);

        // then
        assertThat(ends.await(used)).isEqualTo(NEW);
    }

    @Test
    void shouldNotUseWhatIsCancelledMeanwhile() {
        // given
        CompletableFuture<byte[]> used = ends.spooled.use("back", FILE, () -> {
            throw new AssertionError("nobody wants it");
        });

        // when
        used.cancel(false);
        ends.server.away(false);
        ends.time.advance(Duration.ofSeconds(60));

        // then
        assertThat(used).isCancelled();
        assertThat(ends.server.file("/d/f")).isEqualTo(NEW);
    }
}
