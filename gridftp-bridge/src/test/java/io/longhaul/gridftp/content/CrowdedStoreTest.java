package io.longhaul.gridftp.content;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.longhaul.gridftp.post.FakeScheduler;
import io.longhaul.gridftp.post.Number128;
import io.longhaul.storage.Disk;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store on a disk that has room for no more than what it keeps, and takes its time to free that. */
final class CrowdedStoreTest {
    private static final long LENGTH = 100;

    @TempDir
    private Path directory;

    private final AtomicLong usable = new AtomicLong();
    private final CountDownLatch deleting = new CountDownLatch(1);
    private final CountDownLatch freed = new CountDownLatch(1);

    private Disk disk() {
        Disk real = Disk.real();
        return (Disk) Proxy.newProxyInstance(
                Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("usableSpace")) {
                        return usable.get();
                    }
                    if (method.getName().equals("delete")) {
                        deleting.countDown();
                        freed.await();
                        usable.set(LENGTH);
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void shouldWaitForTheRoomThatIsBeingMade() throws Exception {
        // given
        ContentStore.Limits limits = new ContentStore.Limits(Long.MAX_VALUE, Duration.ofHours(1), 0, 100);
        usable.set(Long.MAX_VALUE);
        ContentStore store = ContentStore.open(directory, disk(), limits, new FakeScheduler().clock(), 1);
        Content kept = store.create(new Number128(1, 2), "");
        kept.write(0, ByteBuffer.allocate((int) LENGTH));
        kept.evictable(true);
        usable.set(0);
        FutureTask<Boolean> first = reserving(store);
        FutureTask<Boolean> second = reserving(store);

        // when
        new Thread(first).start();
        deleting.await();
        Thread other = new Thread(second);
        other.start();
        await().until(() -> second.isDone() || other.getState() == Thread.State.BLOCKED);
        freed.countDown();

        // then
        assertThat(first.get()).isTrue();
        assertThat(second.get()).isTrue();
        assertThat(store.all()).isEmpty();
    }

    private static FutureTask<Boolean> reserving(ContentStore store) {
        return new FutureTask<>(() -> store.reserve(LENGTH), true);
    }
}
