package io.longhaul.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fills a small file system of its own; needs the right to mount one. */
class DiskFullIT {
    private static final int SLOT = 256 * 1024;
    private static final StoreConfig CONFIG = new StoreConfig(SLOT, 8L * 1024 * 1024, Long.MAX_VALUE, 0);

    @TempDir
    Path temporary;

    private Path dir;
    private boolean mounted;

    @BeforeEach
    void mount() throws Exception {
        dir = Files.createDirectory(temporary.resolve("small"));
        mounted = run("mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", dir.toString()) == 0;
        if (!mounted) {
            System.err.println("NOT TESTED: full disk; this user may not mount a tmpfs");
        }
        Assumptions.assumeTrue(mounted, "a tmpfs cannot be mounted: a full disk is not tested");
    }

    @AfterEach
    void unmount() throws Exception {
        if (mounted) {
            run("umount", "-l", dir.toString());
        }
    }

    private static int run(String... command) throws Exception {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(10, TimeUnit.SECONDS) ? process.exitValue() : -1;
        } catch (IOException e) {
            return -1;
        }
    }

    @Test
    void shouldRefuseBodiesWhenFullAndGoOnWhenSpaceReturns() {
        byte[] body = new byte[SLOT];
        try (Store store = Store.open(dir.resolve("data"), CONFIG, Disk.real())) {
            // given
            List<Long> positions = new ArrayList<>();

            // when
            StorageException refused = catchThrowableOfType(StorageException.class, () -> {
                while (true) {
                    positions.add(store.spool().write(ByteBuffer.allocate(SLOT)));
                }
            });

            // then
            assertThat(refused.code()).isEqualTo(StorageException.Code.NO_SPACE);
            assertThat(refused)
                    .hasMessageContaining(dir.toString())
                    .hasMessageContaining("needed")
                    .hasMessageContaining("free");
            assertThat(positions).hasSizeGreaterThan(40);
            store.spool().release(positions.get(0));
            assertThat(store.spool().write(ByteBuffer.allocate(SLOT))).isEqualTo(positions.get(0));
            store.spool().force();
            store.ledger()
                    .commit(List.of(new LedgerChange.PutPieces(1, List.of(Samples.spooled(0, body, positions.get(0))))))
                    .exceptionally(full -> null)
                    .join();
        }
    }

    @Test
    void shouldRefuseCommitsWhenFullAndLoseNothing() throws Exception {
        // given
        Path filler = dir.resolve("filler");
        int kept = 0;
        try (Store store = Store.open(dir.resolve("data"), CONFIG, Disk.real())) {
            store.ledger().commit(put(kept++)).join();
            fill(filler);

            // when
            CompletionException refused = catchThrowableOfType(
                    CompletionException.class,
                    () -> store.ledger().commit(put(1)).join());

            // then
            assertThat(refused.getCause())
                    .isInstanceOfSatisfying(
                            StorageException.class, e -> assertThat(e.code()).isEqualTo(StorageException.Code.NO_SPACE))
                    .hasMessageContaining(dir.toString())
                    .hasMessageContaining("needed")
                    .hasMessageContaining("free");
            assertThat(store.ledger().safePieces(1).cardinality()).isEqualTo(kept);
            Files.delete(filler);
            store.ledger().commit(put(kept++)).join();
        }
        try (Store store = Store.open(dir.resolve("data"), CONFIG, Disk.real())) {
            assertThat(store.findings()).isEmpty();
            assertThat(store.ledger().safePieces(1).cardinality()).isEqualTo(kept);
        }
    }

    private static List<LedgerChange> put(int index) {
        return List.of(new LedgerChange.PutPieces(1, List.of(Samples.durable(index))));
    }

    private static void fill(Path filler) throws IOException {
        try (var out = Files.newOutputStream(filler)) {
            byte[] zeros = new byte[64 * 1024];
            while (true) {
                out.write(zeros);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
        }
    }

    @Test
    void shouldNamePathNeededAndFreeWhenAWriteFindsTheDiskFull() throws IOException {
        // given
        fill(dir.resolve("filler"));
        Path path = dir.resolve("part");

        // when
        StorageException refused = catchThrowableOfType(StorageException.class, () -> {
            try (DiskFile file = Disk.real().open(path)) {
                file.write(ByteBuffer.allocate(1024 * 1024), 0);
            }
        });

        // then
        assertThat(refused.code()).isEqualTo(StorageException.Code.NO_SPACE);
        assertThat(refused)
                .hasMessageContaining(path.toString())
                .hasMessageContaining("needed 1048576 bytes")
                .hasMessageContaining("free ");
    }

    @Test
    void shouldLeaveToTheCacheWhatADirectWriteFindsNoSpaceFor() throws IOException {
        // given
        Path path = Files.createFile(dir.resolve("part"));
        ByteBuffer first = ByteBuffer.allocate(1024 * 1024);
        ByteBuffer second = ByteBuffer.allocate(1024 * 1024);
        try (DirectWrites writes = new DirectWrites(path, DirectWrites.identity(path), file -> true)) {
            writes.write(first, 0);
            Assumptions.assumeFalse(first.hasRemaining(), "this kernel's tmpfs knows no direct writes");
            fill(dir.resolve("filler"));

            // when
            writes.write(second, 1024 * 1024);
            Files.delete(dir.resolve("filler"));
            int left = second.remaining();
            writes.write(second, 1024 * 1024);

            // then
            assertThat(left).isPositive();
            assertThat(second.remaining()).isEqualTo(left);
        }
    }
}
