package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.storage.Disk;
import io.longhaul.storage.StorageException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SpaceGuardTest {
    private static final long MIB = 1024 * 1024;
    private static final long FLOOR = 64 * MIB;
    private static final long PIECE = MIB / 4;

    /** Each subscription of an agent has its guard, and they may all fill one disk. */
    @Test
    void shouldKeepTheFloorTogetherWithTheGuardsOfOtherSubscriptions() {
        // given
        AtomicLong free = new AtomicLong(2 * FLOOR);
        Disk disk = (Disk) Proxy.newProxyInstance(
                Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (self, method, arguments) -> free.get());
        List<SpaceGuard> guards = Stream.generate(() -> new SpaceGuard(disk, Path.of("into"), FLOOR))
                .limit(20)
                .toList();

        // when
        boolean taken = true;
        while (taken) {
            taken = false;
            for (SpaceGuard guard : guards) {
                if (isTaken(guard)) {
                    free.addAndGet(-PIECE);
                    taken = true;
                }
            }
        }

        // then
        assertThat(free).hasValue(FLOOR);
    }

    private static boolean isTaken(SpaceGuard guard) {
        try {
            guard.take(PIECE);
            return true;
        } catch (StorageException e) {
            assertThat(e.code()).isEqualTo(StorageException.Code.NO_SPACE);
            return false;
        }
    }
}
