package io.longhaul.it.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.longhaul.agent.Agent;
import io.longhaul.agent.AgentConfig;
import io.longhaul.agent.AgentListener;
import io.longhaul.agent.Delivered;
import io.longhaul.agent.PublishRequest;
import io.longhaul.agent.Retention;
import io.longhaul.agent.SubscribeRequest;
import io.longhaul.agent.SubscriptionListener;
import io.longhaul.broker.Broker;
import io.longhaul.broker.BrokerConfig;
import io.longhaul.it.testbed.Child;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who repairs, when several could: brokers of this process in a chain. */
final class NearestHolderIT {
    private static final String TOPIC = "near";
    private static final int TRIES = 10;

    @TempDir
    Path directory;

    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    /** What one agent has said, and what came to its subscription. */
    private static final class Site implements AgentListener, SubscriptionListener {
        final List<String> notices = new CopyOnWriteArrayList<>();
        final List<Delivered> ended = new CopyOnWriteArrayList<>();

        @Override
        public void notice(String line) {
            notices.add(line);
        }

        @Override
        public void ended(Delivered delivered) {
            ended.add(delivered);
        }

        boolean asked(String holder) {
            return notices.stream().anyMatch(line -> line.contains("asking " + holder + " for "));
        }

        boolean served() {
            return notices.stream().anyMatch(line -> line.startsWith("repair: served"));
        }
    }

    private Broker broker(String name, Broker... links) {
        List<String> to = new ArrayList<>();
        for (Broker link : links) {
            to.add("127.0.0.1:" + link.port());
        }
        Broker broker = Broker.launch(BrokerConfig.of(name, directory.resolve(name))
                .withListen("127.0.0.1:0")
                .withLinks(new BrokerConfig.Links(to, "", "", 0, false)));
        opened.add(broker);
        return broker;
    }

    private Agent agent(String name, Broker at, AgentListener listener) {
        Agent agent = Agent.open(config(name, at), listener);
        opened.add(agent);
        return agent;
    }

    private AgentConfig config(String name, Broker at) {
        return AgentConfig.of(name, directory.resolve("agent-" + name), "127.0.0.1:" + at.port());
    }

    private SubscribeRequest into(String name) throws Exception {
        return SubscribeRequest.of(TOPIC, name, Files.createDirectories(directory.resolve("into-" + name)));
    }

    /** Has an agent of its own get what was published before, and ends it, so that it holds nothing for the next one. */
    private Site catchUp(Broker at, String name) throws Exception {
        Site late = new Site();
        try (Agent agent = Agent.open(config(name, at), late)) {
            agent.subscribe(into(name).withSince(Instant.EPOCH), late);
            await().atMost(Child.PATIENCE).until(() -> !late.ended.isEmpty());
        }
        assertThat(directory.resolve("into-" + name).resolve("file")).hasSameBinaryContentAs(directory.resolve("file"));
        return late;
    }

    @Test
    void shouldRepairFromTheNearestHolderWhenOthersAreFartherAway() throws Exception {
        // given
        Broker a = broker("a");
        Broker b = broker("b", a);
        Broker c = broker("c", b);
        Site archive = new Site();
        agent("archive", a, archive).subscribe(into("archive").withArchive(Retention.FOR_EVER), archive);
        Site middle = new Site();
        agent("middle", b, middle).subscribe(into("middle"), middle);
        Site neighbour = new Site();
        agent("neighbour", c, neighbour).subscribe(into("neighbour"), neighbour);
        byte[] bytes = new byte[3 * PublishRequest.DEFAULT_PIECE_SIZE + 1];
        new Random(1).nextBytes(bytes);
        Path source = Files.write(directory.resolve("file"), bytes);
        agent("publisher", a, new Site())
                .publish(PublishRequest.of(source, TOPIC).withReceipts(3))
                .result()
                .get(Child.PATIENCE.toSeconds(), TimeUnit.SECONDS);

        // when: offers are collected for a moment, which on a busy machine passes before the nearest one comes
        Site late = catchUp(c, "late-1");
        for (int i = 2; i <= TRIES && !late.asked("neighbour"); i++) {
            late = catchUp(c, "late-" + i);
        }

        // then
        assertThat(late.ended.get(0).repairedBytes()).isEqualTo(bytes.length);
        assertThat(late.notices)
                // who finds nobody at first on a busy machine says so, and asks again
                .filteredOn(line -> line.contains(": asking "))
                .singleElement()
                .asString()
                .contains("asking neighbour for 4 missing pieces");
        await().atMost(Child.PATIENCE).until(neighbour::served);
        assertThat(middle.ended).hasSize(1);
    }
}
