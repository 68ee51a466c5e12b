package io.longhaul.broker.artemis;

import static io.longhaul.broker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.activemq.artemis.api.core.ActiveMQReplicationTimeooutException;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.core.protocol.core.Packet;
import org.apache.activemq.artemis.core.protocol.core.impl.wireformat.ReplicationSyncFileMessage;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backup is lost while everything is copied to it. */
class FirstCopyIT {
    @TempDir
    Path data;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private long stepMillis = 60_000;
    private ActiveMQServer server;

    @BeforeEach
    void start() throws Exception {
        server = BareServer.start(BareServer.in(data));
    }

    @AfterEach
    void stop() throws Exception {
        threads.shutdownNow();
        server.stop();
    }

    @Test
    void shouldTakeInWhatComesWhenABackupIsLostInTheLastStep() throws Exception {
        // given
        CopiedBackup backup = backup(CopiedBackup::isLast);

        // when
        Future<?> copy = copy(backup);
        await().until(backup::isLost);

        // then
        Future<?> taken = threads.submit(() -> server.createQueue(QueueConfiguration.of("new")));
        taken.get(10, TimeUnit.SECONDS);
        assertThatThrownBy(() -> copy.get(10, TimeUnit.SECONDS)).hasMessageContaining("lost");
    }

    @Test
    void shouldEndWhenABackupIsLostInTheMidstOfAFile() throws Exception {
        // given
        CopiedBackup backup = backup(ReplicationSyncFileMessage.class::isInstance);

        // when
        Future<?> copy = copy(backup);

        // then
        assertThatThrownBy(() -> copy.get(10, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class);
    }

    /** Whoever ends stops whatever copy is being made. */
    @Test
    void shouldBeginNoCopyBeforeOneThatFailsHasEnded() throws Exception {
        // given
        CopiedBackup first = backup(ReplicationSyncFileMessage.class::isInstance);
        CopiedBackup second = backup(packet -> false);
        Future<?> lost = copy(first);
        await().until(first::isLost);
        server.getStorageManager().stopReplication();

        // when
        Future<?> copy = copy(second);

        // then
        assertThatThrownBy(() -> lost.get(10, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class);
        copy.get(10, TimeUnit.SECONDS);
        assertThat(second.mirror().isStarted()).isTrue();
        assertThat(second.mirror().isSynchronizing()).isFalse();
        server.createQueue(QueueConfiguration.of("new"));
    }

    @Test
    void shouldLiveOnWhenABackupIsTooSlowInTheLastStep() throws Exception {
        // given
        stepMillis = 1000;
        CopiedBackup backup = backup(packet -> false);
        backup.fallSilent();
        CountDownLatch stopped = new CountDownLatch(1);
        server.registerIOCriticalErrorListener((cause, message, file) -> stopped.countDown());

        // when
        Future<?> copy = copy(backup);

        // then
        assertThatThrownBy(() -> copy.get(10, TimeUnit.SECONDS))
                .hasCauseInstanceOf(ActiveMQReplicationTimeooutException.class);
        assertThat(stopped.getCount()).isEqualTo(1);
        server.createQueue(QueueConfiguration.of("new"));
    }

    private CopiedBackup backup(Predicate<Packet> fatal) throws Exception {
        return CopiedBackup.of(server, fatal, stepMillis);
    }

    private Future<?> copy(CopiedBackup backup) {
        return threads.submit(() -> {
            server.getStorageManager()
                    .startReplication(
                            backup.mirror(),
                            server.getPagingManager(),
                            server.getNodeID().toString(),
                            false,
                            stepMillis);
            return null;
        });
    }
}
