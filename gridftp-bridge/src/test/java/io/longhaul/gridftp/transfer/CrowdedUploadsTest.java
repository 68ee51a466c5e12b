package io.longhaul.gridftp.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.content.ContentStore;
import io.longhaul.gridftp.post.FakePosts.Faults;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More files on their way than there may be. */
final class CrowdedUploadsTest {
    private static final byte[] BYTES = TwoEnds.bytes(1, 1000);

    private TwoEnds ends;

    @BeforeEach
    void prepare(@TempDir Path directory) {
        ends = new TwoEnds(directory, 7, Faults.NONE);
        ends.untilDelivered = false;
    }

    private static ContentStore.Limits inUse(int most) {
        return new ContentStore.Limits(1L << 30, Duration.ofHours(24), 0, most);
    }

    @Test
    void shouldRefuseOneMoreWhenTooManyWaitForTheServer() {
        // given
        ends.frontLimits = inUse(3);
        ends.start();
        ends.server.away(true);
        for (String path : new String[] {"/a", "/b", "/c"}) {
            ends.upload(path, BYTES);
        }

        // then
        TwoEnds.assertFails(Code.UNAVAILABLE, () -> ends.write("/d"));

        // when
        ends.server.away(false);
        ends.time.advance(Duration.ofMinutes(2));
        ends.upload("/d", BYTES);
        ends.time.advance(Duration.ofMinutes(1));

        // then
        for (String path : new String[] {"/a", "/b", "/c", "/d"}) {
            assertThat(ends.server.file(path)).isEqualTo(BYTES);
        }
    }

    @Test
    void shouldFreeThePlacesAtTheServerWhenTheFrontIsKilledAndStartedAgain() {
        // given
        ends.start();
        Sink whole = ends.write("/whole");
        ends.send(whole, BYTES, 0, 500);
        ends.write(new WriteRequest(FilePath.of("/part"), Kind.OVERLAY, 0, List.of(), Optional.empty()));
        ends.time.advance(Duration.ofSeconds(1));
        assertThat(ends.server.openSinks()).isEqualTo(2);

        // when
        ends.killFront();
        ends.startFront();
        ends.time.advance(Duration.ofSeconds(5));

        // then
        assertThat(ends.server.openSinks()).isZero();

        // when the client comes again at once
        ends.write("/whole");
        ends.killFront();
        ends.startFront();
        ends.upload("/whole", BYTES);
        ends.time.advance(Duration.ofSeconds(5));

        // then
        assertThat(ends.server.file("/whole")).isEqualTo(BYTES);
        assertThat(ends.server.openSinks()).isZero();
    }

    @Test
    void shouldDeliverThemAllWhenTheBackTakesFewAtATime() {
        // given
        ends.backLimits = inUse(1);
        ends.start();
        Sink open = ends.write("/open");
        ends.send(open, BYTES, 0, 500);
        ends.time.advance(Duration.ofSeconds(1));

        // when
        ends.upload("/waits", BYTES);
        ends.time.advance(Duration.ofMinutes(1));

        // then
        assertThat(ends.server.has("/waits")).isFalse();

        // when
        ends.send(open, BYTES, 500, BYTES.length);
        ends.await(open.commit(done -> {}));
        ends.time.advance(Duration.ofMinutes(1));

        // then
        assertThat(ends.server.file("/open")).isEqualTo(BYTES);
        assertThat(ends.server.file("/waits")).isEqualTo(BYTES);
    }

    @Test
    void shouldLeaveThePlaceAtTheServerToOthersWhenTheClientSendsLittle() {
        // given
        Hindered crowded = new Hindered(ends.server);
        ends.backends = user -> crowded.backend();
        ends.start();
        Sink sink = ends.write("/f");
        ends.send(sink, BYTES, 0, 500);
        ends.time.advance(Duration.ofMinutes(1));
        assertThat(ends.server.openSinks()).isEqualTo(1);

        // when
        crowded.isCrowded = true;
        ends.time.advance(Duration.ofSeconds(15));

        // then
        assertThat(ends.server.openSinks()).isZero();
        assertThat(ends.server.temporaries).isEmpty();

        // when
        ends.send(sink, BYTES, 500, BYTES.length);
        ends.time.advance(Duration.ofSeconds(15));

        // then
        assertThat(ends.server.openSinks()).isZero();

        // when
        ends.await(sink.commit(done -> {}));
        ends.time.advance(Duration.ofSeconds(15));

        // then
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
        assertThat(ends.server.openSinks()).isZero();
    }

    @Test
    void shouldHoldNoPlaceAtTheServerWhenTheClientSendsNothingYet() {
        // given
        ends.start();
        Sink sink = ends.write("/f");
        Sink empty = ends.write("/empty");
        assertThat(ends.server.openSinks()).isEqualTo(2);

        // when
        ends.time.advance(Duration.ofSeconds(15));

        // then
        assertThat(ends.server.openSinks()).isZero();
        assertThat(ends.server.temporaries).isEmpty();

        // when
        ends.send(sink, BYTES, 0, 500);
        ends.time.advance(Duration.ofMinutes(1));

        // then
        assertThat(ends.server.openSinks()).isEqualTo(1);
        assertThat(ends.server.written()).isEqualTo(500);

        // when
        ends.send(sink, BYTES, 500, BYTES.length);
        ends.await(sink.commit(done -> {}));
        ends.await(empty.commit(done -> {}));
        ends.time.advance(Duration.ofSeconds(15));

        // then
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
        assertThat(ends.server.file("/empty")).isEmpty();
        assertThat(ends.server.openSinks()).isZero();
    }

    @Test
    void shouldKeepThePlaceAtTheServerWhenTheFileHasItsOwnNameAlready() {
        // given
        Hindered direct = new Hindered(ends.server);
        direct.isDirect = true;
        direct.isCrowded = true;
        ends.backends = user -> direct.backend();
        ends.start();

        // when
        Sink sink = ends.write("/f");
        ends.time.advance(Duration.ofSeconds(15));
        ends.send(sink, BYTES, 0, 500);
        ends.time.advance(Duration.ofMinutes(1));

        // then
        assertThat(ends.server.openSinks()).isEqualTo(1);
    }

    @Test
    void shouldLeaveNothingWhenAClientGivesUpThatSentLittle() {
        // given
        Hindered crowded = new Hindered(ends.server);
        ends.backends = user -> crowded.backend();
        ends.start();
        Sink sink = ends.write("/f");
        ends.send(sink, BYTES, 0, 500);
        crowded.isCrowded = true;
        ends.time.advance(Duration.ofSeconds(15));

        // when
        ends.await(sink.abort());
        ends.time.advance(Duration.ofMinutes(1));
        ends.upload("/f", BYTES);
        ends.time.advance(Duration.ofSeconds(15));

        // then
        assertThat(ends.server.file("/f")).isEqualTo(BYTES);
        assertThat(ends.server.openSinks()).isZero();
    }
}
