package io.longhaul.broker.artemis;

import static io.longhaul.broker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class BehindIT {
    private static final String ADDRESS = "lh.topic.t";
    private static final String QUEUE = "lh.link.leaf@lh.topic.t";
    private static final int FILES = 4;

    @TempDir
    Path data;

    private ActiveMQServer server;
    private LinkQueues queues;

    @BeforeEach
    void start() throws Exception {
        server = BareServer.start(BareServer.in(data).setJournalPoolFiles(FILES).setJournalCompactMinFiles(FILES));
        queues = new LinkQueues(server, "leaf");
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    private List<String> afterARestart() throws Exception {
        stop();
        start();
        Behind behind = new Behind();
        behind.restore(queues, ADDRESS);
        return behind.subscriptions(QUEUE);
    }

    @Test
    void shouldKnowWhoIsBehindALinkAfterARestart() throws Exception {
        // given
        String filter = String.valueOf(queues.open(ADDRESS).getFilter().getFilterString());

        // when
        new Behind().put(queues, Map.of("t", List.of("s1", "s2")));

        // then
        assertThat(afterARestart()).containsExactly("s1", "s2");
        assertThat(String.valueOf(server.locateQueue(QUEUE).getFilter().getFilterString()))
                .isEqualTo(filter);
        assertThat(server.locateQueue(QUEUE).isDurable()).isTrue();
    }

    /** A neighbour is told that its subscriptions are known, and who is behind it must then outlast a kill. */
    @Test
    void shouldBeWrittenWhenItReturns() throws Exception {
        // given
        queues.open(ADDRESS);

        // when
        for (int i = 0; i <= 1000; i++) {
            new Behind().put(queues, Map.of("t", List.of("s" + i, "s")));
        }

        // then
        String names = new String("s1000 s".getBytes(StandardCharsets.UTF_16LE), StandardCharsets.ISO_8859_1);
        String written = "";
        try (DirectoryStream<Path> files = Files.newDirectoryStream(data.resolve("bindings"))) {
            for (Path file : files) {
                written += Files.readString(file, StandardCharsets.ISO_8859_1);
            }
        }
        assertThat(written.contains(names)).isTrue();
    }

    /** Subscribers come and go for years, and a start reads all of the bindings. */
    @Test
    void shouldNotLetTheBindingsGrowWithEachChange() throws Exception {
        // given
        queues.open(ADDRESS);
        Behind behind = new Behind();
        List<String> names = List.of();

        // when
        for (int i = 0; i < 2000; i++) {
            names = List.of("s" + i, "s".repeat(4000));
            behind.put(queues, Map.of("t", names));
        }

        // then
        await().until(() -> bindingsBytes() <= 2L * FILES * ForcedStorage.BINDINGS_FILE_BYTES);
        assertThat(afterARestart()).isEqualTo(names);
        assertThat(bindingsBytes()).isLessThanOrEqualTo(2L * FILES * ForcedStorage.BINDINGS_FILE_BYTES);
    }

    private long bindingsBytes() throws IOException {
        long bytes = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(data.resolve("bindings"), "*.bindings*")) {
            for (Path file : files) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }

    @Test
    void shouldKnowWhatWasWantedBefore() throws Exception {
        // given
        queues.open(ADDRESS);

        // when
        queues.setBehind(ADDRESS, List.of("one", "two"));

        // then
        assertThat(queues.wantedBefore(ADDRESS)).containsExactlyInAnyOrder("lh.sub.t@one", "lh.sub.t@two");
        assertThat(queues.wantedBefore("lh.holders.t")).isEmpty();
    }

    @Test
    void shouldNotTakeWhatWasSaidOfAQueueForAnotherOneOfItsName() throws Exception {
        // given
        queues.open(ADDRESS);
        new Behind().put(queues, Map.of("t", List.of("s1")));
        queues.destroy(server.locateQueue(QUEUE));

        // when
        queues.open(ADDRESS);

        // then
        assertThat(queues.behind(ADDRESS)).isEmpty();
        assertThat(afterARestart()).isEmpty();
    }

    @Test
    void shouldKnowNobodyWhenNotAllAreKnownAnyMore() throws Exception {
        // given
        queues.open(ADDRESS);
        Behind behind = new Behind();
        behind.put(queues, Map.of("t", List.of("s1")));

        // when
        behind.put(queues, Map.of("t", List.of()));

        // then
        assertThat(behind.subscriptions(QUEUE)).isEmpty();
        assertThat(afterARestart()).isEmpty();
    }

    @Test
    void shouldKeepNoNamesThatDoNotFitARecord() throws Exception {
        // given
        queues.open(ADDRESS);
        Behind behind = new Behind();
        behind.put(queues, Map.of("t", List.of("s1")));
        List<String> many = Collections.nCopies(2000, "s".repeat(99));

        // when
        behind.put(queues, Map.of("t", many));

        // then
        assertThat(behind.subscriptions(QUEUE)).hasSize(2000);
        assertThat(afterARestart()).isEmpty();
    }

    /** Topics come and go, and the broker stays. */
    @Test
    void shouldForgetWhoWasBehindALinkOnceItsQueueIsGone() throws Exception {
        // given
        Behind behind = new Behind();
        BacklogKeeper keeper = new BacklogKeeper(
                server,
                1 << 20,
                behind,
                System::nanoTime,
                new Random(1),
                new QuietLog(LoggerFactory.getLogger(BehindIT.class), System::nanoTime));
        queues.open(ADDRESS);
        behind.put(queues, Map.of("t", List.of("s1")));
        keeper.round();
        List<String> before = behind.subscriptions(QUEUE);

        // when
        queues.destroy(server.locateQueue(QUEUE));
        keeper.round();

        // then
        assertThat(before).containsExactly("s1");
        assertThat(behind.subscriptions(QUEUE)).isEmpty();
    }

    @Test
    void shouldKeepWhatIsSaidWhileAnotherQueueOfTheNameIsForgotten() throws Exception {
        // given
        queues.open(ADDRESS);
        new Behind().put(queues, Map.of("t", List.of("s1")));
        Behind behind = new Behind();
        behind.restore(queues, ADDRESS);
        Thread opener = new Thread(() -> behind.restore(queues, ADDRESS));

        // when
        behind.retain(queue -> {
            opener.start();
            await().until(() ->
                    Set.of(Thread.State.BLOCKED, Thread.State.TERMINATED).contains(opener.getState()));
            return false;
        });
        opener.join();

        // then
        assertThat(behind.subscriptions(QUEUE)).containsExactly("s1");
    }
}
