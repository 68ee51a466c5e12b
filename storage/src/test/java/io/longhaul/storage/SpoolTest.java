package io.longhaul.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpoolTest {
    private static final int SLOT = 1024;
    private static final long SEGMENT = 4096 + 4 * SLOT;

    @TempDir
    Path dir;

    private SegmentedSpool open(long quota, Disk disk) {
        return SegmentedSpool.open(dir.resolve("spool"), new StoreConfig(SLOT, SEGMENT, quota, 0), disk);
    }

    private SegmentedSpool open() {
        return open(Long.MAX_VALUE, Disk.real());
    }

    private static ByteBuffer body(int value, int length) {
        byte[] bytes = new byte[length];
        java.util.Arrays.fill(bytes, (byte) value);
        return ByteBuffer.wrap(bytes);
    }

    private static byte[] read(Spool spool, long position, int length) {
        ByteBuffer into = ByteBuffer.allocate(length);
        spool.read(position, into);
        return into.array();
    }

    @Test
    void shouldReadBodiesFromSeveralSegments() {
        try (SegmentedSpool spool = open()) {
            // given
            List<Long> positions = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                positions.add(spool.write(body(i, SLOT - i)));
            }
            spool.force();

            // when, then
            for (int i = 0; i < 10; i++) {
                assertThat(read(spool, positions.get(i), SLOT - i))
                        .isEqualTo(body(i, SLOT - i).array());
            }
            assertThat(segments()).containsExactly("segment-0", "segment-1", "segment-2");
        }
    }

    @Test
    void shouldTakeReleasedSlotAgainBeforeGrowing() {
        try (SegmentedSpool spool = open()) {
            // given
            long first = spool.write(body(1, 10));
            spool.write(body(2, 10));

            // when
            spool.release(first);

            // then
            assertThat(spool.write(body(3, 10))).isEqualTo(first);
        }
    }

    @Test
    void shouldRefuseNamingPathNeededAndFreeWhenQuotaIsReached() {
        try (SegmentedSpool spool = open(3 * SLOT, Disk.real())) {
            // given
            long first = 0;
            for (int i = 0; i < 3; i++) {
                first = spool.write(body(i, SLOT));
            }

            // when, then
            assertThatThrownBy(() -> spool.write(body(9, 1)))
                    .isInstanceOfSatisfying(
                            StorageException.class, e -> assertThat(e.code()).isEqualTo(StorageException.Code.NO_SPACE))
                    .hasMessageContaining(dir.resolve("spool").toString())
                    .hasMessageContaining("needed 1024")
                    .hasMessageContaining("free 0")
                    .hasMessageContaining("quota");
            spool.release(first);
            assertThat(spool.write(body(9, 1))).isEqualTo(first);
        }
    }

    @Test
    void shouldLeaveTheLedgerRoomToBringWhatIsSpooledToAnEnd() {
        // given
        Disk nearlyFull = (Disk) Proxy.newProxyInstance(
                Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (self, method, arguments) -> {
                    return method.getName().equals("usableSpace") ? 8L << 20 : method.invoke(Disk.real(), arguments);
                });
        StoreConfig config = new StoreConfig(4096, 128 * 1024, Long.MAX_VALUE, 0);

        try (Store store = Store.open(dir, config, nearlyFull)) {
            // when then
            assertThatThrownBy(() -> store.spool().write(ByteBuffer.allocate(100)))
                    .isInstanceOfSatisfying(
                            StorageException.class, e -> assertThat(e.code()).isEqualTo(StorageException.Code.NO_SPACE))
                    .hasMessageContaining("above the floor of 8388608 bytes");
        }
    }

    @Test
    void shouldRefuseWhenFloorWouldBePassed() {
        // given
        long floor = Disk.real().usableSpace(dir) + (1L << 40);

        try (SegmentedSpool spool = SegmentedSpool.open(
                dir.resolve("spool"), new StoreConfig(SLOT, SEGMENT, Long.MAX_VALUE, floor), Disk.real())) {
            // when, then
            assertThatThrownBy(() -> spool.write(body(1, 1)))
                    .isInstanceOfSatisfying(
                            StorageException.class, e -> assertThat(e.code()).isEqualTo(StorageException.Code.NO_SPACE))
                    .hasMessageContaining("floor");
            assertThat(segments()).isEmpty();
        }
    }

    @Test
    void shouldForceOnlySegmentsThatWereWritten() {
        // given
        RecordingDisk disk = new RecordingDisk(Disk.real());
        try (SegmentedSpool spool = open(Long.MAX_VALUE, disk)) {
            for (int i = 0; i < 4; i++) {
                spool.write(body(i, SLOT));
            }
            spool.force();
            int before = disk.events().size();

            // when
            spool.write(body(5, SLOT));
            spool.force();
            spool.force();

            // then
            assertThat(disk.events().subList(before, disk.events().size()))
                    .filteredOn(event -> event.startsWith("force"))
                    .containsExactly("force segment-1.new", "force segment-1");
        }
    }

    @Test
    void shouldNotTrustALaterSyncWhenOneFailed() {
        // given
        FailingDisk disk = new FailingDisk(Disk.real());
        try (SegmentedSpool spool = open(Long.MAX_VALUE, disk)) {
            long position = spool.write(body(1, SLOT));
            disk.failForces(1);

            // when, then
            assertThatThrownBy(spool::force).isInstanceOf(StorageException.class);
            assertThatThrownBy(spool::force)
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("an earlier sync failed");
            spool.release(position);
            spool.force();
        }
    }

    @Test
    void shouldAllocateBlocksBeforeUse() throws IOException {
        try (SegmentedSpool spool = open()) {
            // when
            spool.write(body(1, 1));
            spool.force();

            // then
            long allocated = Files.size(dir.resolve("spool/segment-0"));
            assertThat(allocated).isEqualTo(SEGMENT);
        }
    }

    @Test
    void shouldDropTrailingSegmentsWhenNothingIsInThem() {
        // given
        long third;
        try (SegmentedSpool spool = open()) {
            for (int i = 0; i < 5; i++) {
                spool.write(body(i, SLOT));
            }
            third = spool.write(body(5, SLOT));
            for (int i = 0; i < 8; i++) {
                spool.write(body(i, SLOT));
            }
        }

        // when
        try (SegmentedSpool spool = open()) {
            assertThat(spool.markUsed(third)).isTrue();
            assertThat(spool.markUsed(third)).isFalse();
            assertThat(spool.markUsed(third + 1)).isFalse();
            assertThat(spool.markUsed(Long.MAX_VALUE / 2)).isFalse();
            spool.dropUnused();

            // then
            assertThat(segments()).containsExactly("segment-0", "segment-1");
            assertThat(read(spool, third, SLOT)).isEqualTo(body(5, SLOT).array());
        }
    }

    @Test
    void shouldGiveTheDiskBackWhatEmptySegmentsTakeButForAFew() throws IOException {
        try (SegmentedSpool spool = open(40 * SLOT, Disk.real())) {
            // given
            List<Long> positions = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                positions.add(spool.write(body(i, SLOT)));
            }
            spool.force();

            // when
            positions.subList(1, 40).forEach(spool::release);

            // then
            assertThat(lengths())
                    .containsExactly(SEGMENT, SEGMENT, SEGMENT, SEGMENT, SEGMENT, 4096L, 4096L, 4096L, 4096L, 4096L);
            assertThat(read(spool, positions.get(0), SLOT))
                    .isEqualTo(body(0, SLOT).array());
            for (int i = 1; i < 40; i++) {
                assertThat(spool.write(body(i, SLOT))).isEqualTo(positions.get(i));
            }
            spool.force();
            assertThat(read(spool, positions.get(39), SLOT))
                    .isEqualTo(body(39, SLOT).array());
        }
    }

    private List<Long> lengths() throws IOException {
        List<Long> lengths = new ArrayList<>();
        for (String segment : segments()) {
            lengths.add(Files.size(dir.resolve("spool").resolve(segment)));
        }
        return lengths;
    }

    @Test
    void shouldReadOldBodiesWhenSlotSizeChanged() {
        // given
        long position;
        try (SegmentedSpool spool = open()) {
            position = spool.write(body(7, SLOT));
        }

        // when
        try (SegmentedSpool spool = SegmentedSpool.open(
                dir.resolve("spool"), new StoreConfig(2 * SLOT, 2 * SEGMENT, Long.MAX_VALUE, 0), Disk.real())) {
            assertThat(spool.markUsed(position)).isTrue();
            long wide = spool.write(body(8, 2 * SLOT));

            // then
            assertThat(read(spool, position, SLOT)).isEqualTo(body(7, SLOT).array());
            assertThat(read(spool, wide, 2 * SLOT)).isEqualTo(body(8, 2 * SLOT).array());
            spool.release(position);
            assertThat(dir.resolve("spool/segment-0")).hasSize(4096);
            spool.dropUnused();
            assertThat(segments()).containsExactly("segment-1");
        }
    }

    @Test
    void shouldPutAsideSegmentWhenItsHeaderIsDamaged() throws IOException {
        // given
        try (SegmentedSpool spool = open()) {
            spool.write(body(7, SLOT));
        }
        Path segment = dir.resolve("spool/segment-0");
        byte[] bytes = Files.readAllBytes(segment);
        bytes[13] ^= 1;
        Files.write(segment, bytes);

        // when
        try (SegmentedSpool spool = open()) {
            // then
            assertThat(spool.findings()).singleElement().asString().contains(segment.toString(), "damaged-segment-0");
            assertThat(dir.resolve("spool/damaged-segment-0")).exists();
        }
    }

    @Test
    void shouldRefuseBodiesThatDoNotFit() {
        try (SegmentedSpool spool = open()) {
            assertThatThrownBy(() -> spool.write(body(1, SLOT + 1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("1025");
        }
    }

    private List<String> segments() {
        try (Stream<Path> files = Files.list(dir.resolve("spool"))) {
            return files.map(path -> path.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
