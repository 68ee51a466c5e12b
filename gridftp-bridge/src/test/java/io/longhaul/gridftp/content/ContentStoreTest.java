package io.longhaul.gridftp.content;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.post.FakeScheduler;
import io.longhaul.gridftp.post.Number128;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.storage.Disk;
import io.longhaul.storage.ForgetfulDisk;
import io.longhaul.storage.StorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ContentStoreTest {
    private static final Number128 ID = new Number128(1, 2);
    private static final ContentStore.Limits LIMITS = new ContentStore.Limits(1000, Duration.ofHours(1), 0, 100);
    private static final long BOOT = 11;

    @TempDir
    private Path directory;

    private final FakeScheduler time = new FakeScheduler();

    private ContentStore open(Disk disk, long boot) {
        return ContentStore.open(directory.resolve("contents"), disk, LIMITS, time.clock(), boot);
    }

    private ContentStore open() {
        return open(Disk.real(), BOOT);
    }

    static ByteBuffer bytes(int seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    static ByteBuffer read(Content content, long position, int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        content.read(position, bytes);
        return bytes.flip();
    }

    private Path sidecar() {
        return directory.resolve("contents").resolve(ID + ".sidecar");
    }

    @Test
    void shouldKnowWhatWasRecordedWhenTheProcessIsKilled() {
        // given
        Content content = open().create(ID, "note");
        content.write(10, bytes(1, 100));
        content.record();
        content.write(500, bytes(2, 10));
        content.note(time.clock().instant(), "other");

        // when
        Content again = open().find(ID).orElseThrow();

        // then
        assertThat(again.covered().list()).containsExactly(new ByteRange(10, 110));
        assertThat(read(again, 10, 100)).isEqualTo(bytes(1, 100));
        assertThat(again.note()).isEqualTo("other");
        assertThat(again.isLossy()).isFalse();
        assertThatThrownBy(() -> read(again, 500, 10)).hasMessageContaining("found a hole");
    }

    @Test
    void shouldKnowOnlyWhatWasForcedWhenTheMachineWentDown() {
        // given
        Content content = open().create(ID, "");
        content.write(0, bytes(1, 100));
        content.force();
        content.write(100, bytes(2, 100));
        content.record();

        // when
        Content again = open(Disk.real(), BOOT + 1).find(ID).orElseThrow();

        // then
        assertThat(again.covered().list()).containsExactly(new ByteRange(0, 100));
        assertThat(again.isLossy()).isTrue();
    }

    @Test
    void shouldHaveTheRightBytesWhenThePowerFailsAtAnyMoment() {
        for (int moment = 1; moment < 40; moment++) {
            // given
            Path root = directory.resolve("power" + moment);
            ForgetfulDisk disk = new ForgetfulDisk(root, directory.resolve("scratch" + moment));
            int forced = 0;
            try {
                Content content = ContentStore.open(root, disk, LIMITS, time.clock(), BOOT)
                        .create(ID, "");
                disk.failAfter(moment);
                for (int i = 0; i < 8; i++) {
                    content.write(i * 100L, bytes(i, 100));
                    content.record();
                    if (i % 2 == 1) {
                        content.force();
                        forced = i + 1;
                    }
                }
                disk.powerLoss();
            } catch (RuntimeException e) {
                // the power failed
            }

            // when
            ContentStore again = ContentStore.open(root, disk.restart(), LIMITS, time.clock(), BOOT + 1);

            // then
            Optional<Content> content = again.find(ID);
            assertThat(content.map(Content::coveredBytes).orElse(0L))
                    .as("moment %s", moment)
                    .isGreaterThanOrEqualTo(forced * 100L);
            for (int i = 0; content.isPresent() && i * 100L < content.get().coveredBytes(); i++) {
                assertThat(read(content.get(), i * 100L, 100)).isEqualTo(bytes(i, 100));
            }
        }
    }

    @Test
    void shouldForgetTheEndWhenItsRecordIsTornOrDamaged() throws IOException {
        // given
        Content content = open().create(ID, "");
        content.write(0, bytes(1, 100));
        content.record();
        long good = Files.size(sidecar());
        content.write(100, bytes(2, 100));
        content.record();
        byte[] whole = Files.readAllBytes(sidecar());

        for (int at = (int) good; at < whole.length; at += 5) {
            // when
            byte[] damaged = whole.clone();
            damaged[at] ^= 1;
            Files.write(sidecar(), damaged);
            Content again = open().find(ID).orElseThrow();
            // then
            assertThat(again.covered().list()).containsExactly(new ByteRange(0, 100));

            // when
            Files.write(sidecar(), Arrays.copyOf(whole, at));
            again = open().find(ID).orElseThrow();
            // then
            assertThat(again.covered().list()).containsExactly(new ByteRange(0, 100));
            again.write(100, bytes(3, 50));
            again.record();
            assertThat(open().find(ID).orElseThrow().coveredBytes()).isEqualTo(150);
        }
    }

    @Test
    void shouldNotUseAContentWhenItsSidecarHasNoHeader() throws IOException {
        open().create(ID, "").write(0, bytes(1, 100));
        byte[] damaged = Files.readAllBytes(sidecar());
        damaged[20] ^= 1;
        Files.write(sidecar(), damaged);

        assertThat(open().find(ID)).isEmpty();
    }

    @Test
    void shouldRefuseToStartWhenASidecarIsOfAnotherVersion() throws IOException {
        open().create(ID, "");
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(sidecar())).putInt(4, 2);
        bytes.putInt(24, Crc32cSums.of(bytes.duplicate().limit(24).position(0)));
        Files.write(sidecar(), bytes.array());

        assertThatThrownBy(this::open)
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.code()).isEqualTo(StorageException.Code.VERSION))
                .hasMessageContaining("expected version 1, found 2");
    }

    @Test
    void shouldNotPromiseBytesWhenTheirFileIsGone() throws IOException {
        Content content = open().create(ID, "");
        content.write(0, bytes(1, 100));
        content.record();
        Files.delete(directory.resolve("contents").resolve(ID + ".bytes"));

        assertThat(open().find(ID)).isEmpty();
        assertThat(sidecar()).doesNotExist();
    }

    @Test
    void shouldKeepTheHoleWhenZerosAreWrittenWhereNothingWas() throws IOException {
        // given
        Content content = open().create(ID, "");
        long size = 5L << 30;

        // when
        content.write(0, bytes(1, 100));
        ByteBuffer zeros = ZeroBytes.of(1 << 20);
        for (long at = 100; at < size; at += 1 << 20) {
            content.write(at, zeros.slice(0, (int) Math.min(1 << 20, size - at)));
        }

        // then
        assertThat(Files.size(directory.resolve("contents").resolve(ID + ".bytes")))
                .isEqualTo(100);
        assertThat(content.sealAt(size).length()).isEqualTo(size);
        assertThat(content.checksum()).hasValue(content.summed());
        assertThat(read(content, size - 10, 10)).isEqualTo(ByteBuffer.allocate(10));
    }

    @Test
    void shouldWriteZerosWhenSomethingElseWasThere() {
        // given
        Content content = open().create(ID, "");
        content.write(0, bytes(1, 100));
        content.trim(50);

        // when
        content.write(50, ByteBuffer.allocate(50));

        // then
        assertThat(read(content, 50, 50)).isEqualTo(ByteBuffer.allocate(50));
        assertThat(content.checksum().isPresent()).isFalse();
        assertThat(content.summed()).isEqualTo(Crc32cSums.of(read(content, 0, 100)));
    }

    @Test
    void shouldTellWhetherBytesAreTheSameWhenTheyAreThere() {
        // given
        Content content = open().create(ID, "");
        content.write(10, bytes(1, 100));
        ByteBuffer both = ByteBuffer.allocate(120);
        both.put(10, bytes(1, 100), 0, 100).put(0, new byte[] {1, 2, 3});

        // then
        assertThat(content.writeOrCompare(0, both)).isTrue();
        assertThat(content.covered().list()).containsExactly(new ByteRange(0, 120));
        assertThat(read(content, 0, 120)).isEqualTo(both);

        // when
        both.put(60, (byte) (both.get(60) + 1));

        // then
        assertThat(content.writeOrCompare(0, both)).isFalse();
        assertThat(read(content, 10, 100)).isEqualTo(bytes(1, 100));
    }

    @Test
    void shouldDropTheOldestWhenTooManyAreKept() {
        // given
        ContentStore store = open();
        for (int i = 0; i < 5; i++) {
            Content content = store.create(new Number128(0, i), "");
            content.write(0, bytes(i, 400));
            content.evictable(i != 0);
            time.advance(Duration.ofSeconds(1));
        }

        // when
        store.sweep();

        // then
        assertThat(store.all())
                .extracting(Content::id)
                .containsExactly(new Number128(0, 0), new Number128(0, 3), new Number128(0, 4));

        // when
        time.advance(Duration.ofHours(2));
        store.sweep();

        // then
        assertThat(store.all()).extracting(Content::id).containsExactly(new Number128(0, 0));
        assertThat(open().all()).hasSize(1);
    }

    @Test
    void shouldBeOneContentWithItsBytesWhenManyLookForItAndItIsEvicted() throws Exception {
        // given
        ContentStore store = ContentStore.open(
                directory, Disk.real(), new ContentStore.Limits(0, Duration.ZERO, 0, 100), time.clock(), BOOT);
        ExecutorService threads = Executors.newFixedThreadPool(4);

        for (int i = 0; i < 100; i++) {
            // when
            Future<?> sweeping = threads.submit(store::sweep);
            List<Future<Content>> found =
                    threads.invokeAll(Collections.nCopies(3, () -> store.findOrCreate(ID, "note")));
            sweeping.get();

            // then
            Content content = found.get(0).get();
            assertThat(found).allSatisfy(each -> assertThat(each.get()).isSameAs(content));
            content.write(0, bytes(i, 100));
            content.record();
            assertThat(directory.resolve(ID + ".bytes")).hasSize(100);
            content.trim(0);
            content.evictable(true);
        }
        threads.shutdown();
    }

    @Test
    void shouldKeepWhatItHasWhenEvenWithoutItThereWouldBeNoRoom() {
        // given
        ContentStore store = open();
        Content content = store.create(ID, "");
        content.write(0, bytes(1, 100));
        content.evictable(true);

        // then
        assertThatThrownBy(() -> store.reserve(Long.MAX_VALUE)).isInstanceOf(StorageException.class);
        assertThat(store.find(ID)).contains(content);
    }

    @Test
    void shouldSayWhatIsNeededAndFreeWhenTheDiskIsFull() {
        ContentStore store = ContentStore.open(
                directory,
                Disk.real(),
                new ContentStore.Limits(0, Duration.ZERO, Long.MAX_VALUE / 2, 100),
                time.clock(),
                BOOT);

        assertThatThrownBy(() -> store.reserve(1000))
                .isInstanceOfSatisfying(
                        StorageException.class, e -> assertThat(e.code()).isEqualTo(StorageException.Code.NO_SPACE))
                .hasMessageContaining("needed 1000 bytes")
                .hasMessageContaining("free ");
    }

    @Test
    void shouldWriteNothingIntoAnyFileWhenTheFloorIsReached() {
        // given
        ContentStore store = ContentStore.open(
                directory,
                Disk.real(),
                new ContentStore.Limits(0, Duration.ZERO, Long.MAX_VALUE / 2, 100),
                time.clock(),
                BOOT);

        for (int i = 0; i < 3; i++) {
            // when
            Content content = store.create(new Number128(1, i), "");

            // then
            assertThatThrownBy(() -> content.write(0, bytes(1, 100))).isInstanceOf(StorageException.class);
        }
    }

    @Test
    void shouldLeaveLessFreeWhereTheDiskIsSmall() {
        assertThat(ContentStore.Limits.ofDisk(10L << 30).floorBytes()).isEqualTo(512L << 20);
        assertThat(ContentStore.Limits.ofDisk(100L << 30).floorBytes()).isEqualTo(1L << 30);
    }
}
