package io.longhaul.gridftp.content;

import static io.longhaul.gridftp.content.ContentStoreTest.bytes;
import static io.longhaul.gridftp.content.ContentStoreTest.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.post.Number128;
import io.longhaul.storage.Disk;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A content whose blocks are in memory until its reader has them. */
final class ContentAheadTest {
    private static final Number128 ID = new Number128(1, 2);

    @TempDir
    private Path directory;

    private ContentStore open() {
        return ContentStore.open(
                directory.resolve("contents"),
                Disk.real(),
                ContentStore.Limits.DEFAULT.withFloor(0),
                Clock.systemUTC(),
                11);
    }

    @Test
    void shouldReadTheSameFromMemoryAndFromTheDisk() {
        // given: more blocks than are kept, one too short to be, and a hole
        int block = 1024 * 1024;
        Content content = open().create(ID, "");
        for (int i = 0; i < 20; i++) {
            content.writeAhead((long) i * block, bytes(i, block));
        }
        content.writeAhead(20L * block, bytes(20, 100));
        content.writeAhead(22L * block, bytes(22, block));
        ByteBuffer all = ByteBuffer.allocate(20 * block + 100);
        for (int i = 0; i < 20; i++) {
            all.put(bytes(i, block));
        }
        all.put(bytes(20, 100)).flip();

        // when
        ByteBuffer part = read(content, block / 2, 12 * block);
        ByteBuffer first = read(content, 0, all.limit());
        ByteBuffer again = read(content, 0, all.limit());
        ByteBuffer behind = read(content, 22L * block + 10, block - 10);
        content.record();
        ByteBuffer afterwards = read(open().find(ID).orElseThrow(), 0, all.limit());

        // then
        assertThat(part).isEqualTo(all.slice(block / 2, 12 * block));
        assertThat(first).isEqualTo(all);
        assertThat(again).isEqualTo(all);
        assertThat(behind).isEqualTo(bytes(22, block).slice(10, block - 10));
        assertThat(afterwards).isEqualTo(all);
    }

    @Test
    void shouldReadWhatWasWrittenAfterTheTrim() {
        // given
        int block = 1024 * 1024;
        Content content = open().create(ID, "");
        content.writeAhead(0, bytes(1, block));
        content.writeAhead(block, bytes(2, block));

        // when
        content.trim(block);
        content.write(block, bytes(3, block));

        // then
        assertThat(read(content, 0, block)).isEqualTo(bytes(1, block));
        assertThat(read(content, block, block)).isEqualTo(bytes(3, block));
    }

    @Test
    void shouldLeaveTheMemoryToOthersWhenBlocksComeAfterTheReaderHasGone() {
        // given
        int block = 1024 * 1024;
        Semaphore room = new Semaphore(4 * block);
        ContentFile file = new ContentFile(directory.resolve("bytes"), Disk.real(), bytes -> {}, new KeptBlocks(room));
        file.writeAhead(bytes(1, block), 0);
        file.evictable(true);

        // when
        file.writeAhead(bytes(2, block), block);
        int left = room.availablePermits();

        // then
        assertThat(left).isEqualTo(4 * block);
        ByteBuffer read = ByteBuffer.allocate(block);
        file.read(read, block);
        assertThat(read.flip()).isEqualTo(bytes(2, block));
    }
}
