package io.longhaul.it.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.courier.Courier;
import io.longhaul.agent.courier.CourierConfig;
import io.longhaul.agent.courier.CourierListener;
import io.longhaul.agent.courier.Urgency;
import io.longhaul.broker.Broker;
import io.longhaul.broker.BrokerConfig;
import io.longhaul.broker.users.Account;
import io.longhaul.broker.users.PasswordHash;
import io.longhaul.broker.users.TopicPattern;
import io.longhaul.broker.users.UsersFile;
import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Ports;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Endpoints that send each other parcels, over brokers of this process. */
final class CourierIT {
    private static final int MIB = 1024 * 1024;
    private static final int PING = -1;

    @TempDir
    Path directory;

    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    /** What came to an endpoint, and what became of what it sent. */
    private static final class Box implements CourierListener {
        final BlockingQueue<ByteBuffer> bodies = new LinkedBlockingQueue<>();
        final BlockingQueue<ByteBuffer> pings = new LinkedBlockingQueue<>();
        final Set<String> senders = ConcurrentHashMap.newKeySet();
        final BlockingQueue<AgentException> refused = new LinkedBlockingQueue<>();
        final AtomicInteger reconnected = new AtomicInteger();

        @Override
        public void received(String from, ByteBuffer body) {
            senders.add(from);
            (body.getInt(0) == PING ? pings : bodies).add(body);
        }

        @Override
        public void reconnected() {
            reconnected.incrementAndGet();
        }

        @Override
        public void refused(String to, AgentException reason) {
            refused.add(reason);
        }

        int next() throws InterruptedException {
            ByteBuffer body = bodies.poll(Child.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(body).as("the next parcel").isNotNull();
            return body.getInt(0);
        }

        /** Returns the next one that is not another copy of this one: around an outage a parcel may come twice. */
        int nextBut(int copied) throws InterruptedException {
            int next = next();
            while (next == copied) {
                next = next();
            }
            return next;
        }
    }

    private Broker launch(String name, int port, String... links) {
        Broker broker = Broker.launch(BrokerConfig.of(name, directory.resolve(name))
                .withListen("127.0.0.1:" + port)
                .withLinks(new BrokerConfig.Links(List.of(links), "", "", 0, false)));
        opened.add(broker);
        return broker;
    }

    private CourierConfig config(Broker broker, String name, String data) {
        return CourierConfig.of(name, directory.resolve(data), "127.0.0.1:" + broker.port())
                .withConnectTimeout(Duration.ofSeconds(30));
    }

    private Courier open(CourierConfig config) {
        Courier courier = Courier.open(config);
        opened.add(courier);
        return courier;
    }

    private static ByteBuffer body(int number, int bytes) {
        ByteBuffer body = ByteBuffer.allocate(bytes).putInt(0, number);
        CRC32C crc = new CRC32C();
        crc.update(body.duplicate().limit(bytes - 4));
        return body.putInt(bytes - 4, (int) crc.getValue());
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Child.PATIENCE);
    }

    /** Sends until one comes: routes are known in the network a moment after the claim. */
    private static void awaitRoute(Courier from, Urgency urgency, Box box, String to) {
        await().untilAsserted(() -> {
            from.send(to, urgency, body(PING, 8));
            assertThat(box.pings.poll(200, TimeUnit.MILLISECONDS)).isNotNull();
        });
    }

    private static void assertRefused(String words, ThrowingCallable opening) {
        assertThatThrownBy(opening).isInstanceOfSatisfying(AgentException.class, e -> {
            assertThat(e.code()).isEqualTo(AgentException.Code.REFUSED);
            assertThat(e).hasMessageContaining(words);
        });
    }

    @Test
    void shouldCarryParcelsBothWaysWhenEndpointsAreAtDifferentBrokers() throws Exception {
        // given
        Broker hub = launch("hub", 0);
        Broker site = launch("site", 0, "127.0.0.1:" + hub.port());
        Courier front = open(config(hub, "front", "front"));
        Courier back = open(config(site, "back", "back"));
        Box atFront = new Box();
        Box atBack = new Box();
        front.listen(atFront);
        back.listen(atBack);
        awaitRoute(front, Urgency.URGENT, atBack, "back");
        awaitRoute(back, Urgency.URGENT, atFront, "front");

        // when
        for (int i = 0; i < 100; i++) {
            front.send("back", i % 10 == 0 ? Urgency.URGENT : Urgency.BULK, body(i, 4 + (i % 10) * MIB / 8 + 4));
            back.send("front", Urgency.BULK, body(i, MIB));
        }

        // then
        assertAllWhole(atBack, 100);
        assertAllWhole(atFront, 100);
        assertThat(atBack.senders).containsOnly("front");
        assertThat(atFront.senders).containsOnly("back");
    }

    /** Looks at the bodies only once all are there: each is the receiver's own. */
    private static void assertAllWhole(Box box, int count) {
        await().until(() -> box.bodies.size() >= count);
        BitSet numbers = new BitSet();
        for (ByteBuffer body : box.bodies) {
            CRC32C crc = new CRC32C();
            crc.update(body.duplicate().limit(body.limit() - 4));
            assertThat(body.getInt(body.limit() - 4)).isEqualTo((int) crc.getValue());
            numbers.set(body.getInt(0));
        }
        assertThat(numbers.cardinality()).isEqualTo(count);
    }

    @Test
    void shouldGiveANameToOneProcessInTheWholeNetwork() throws Exception {
        // given
        Broker hub = launch("hub", 0);
        Broker site = launch("site", 0, "127.0.0.1:" + hub.port());
        Courier first = open(config(hub, "back", "one"));
        Courier asking = open(config(site, "front", "front"));
        Box atFirst = new Box();
        first.listen(atFirst);
        awaitRoute(asking, Urgency.URGENT, atFirst, "back");

        // when, then
        assertRefused("endpoint back is in use", () -> open(config(hub, "back", "two")));
        assertRefused("endpoint back is kept at another broker", () -> open(config(site, "back", "three")));
        assertRefused("in use by process", () -> open(config(hub, "back", "one")));

        // when
        Files.createDirectories(directory.resolve("copy"));
        Files.copy(directory.resolve("one/endpoint"), directory.resolve("copy/endpoint"));
        Courier successor = open(config(hub, "back", "copy"));
        first.close();
        Box atSuccessor = new Box();
        successor.listen(atSuccessor);

        // then
        asking.send("back", Urgency.URGENT, body(5, 100));
        assertThat(atSuccessor.next()).isEqualTo(5);
        successor.close();
        assertRefused("expected endpoint other, found that of endpoint", () -> open(config(hub, "other", "copy")));
    }

    @Test
    void shouldRefuseWhenTheUserMayNotKeepOrSendToAnEndpoint() throws Exception {
        // given
        Path users = directory.resolve("users.yaml");
        UsersFile.empty()
                .with(Account.of(
                        "front",
                        PasswordHash.of("secret".toCharArray(), new Random(1)),
                        List.of(new TopicPattern("climate.#")),
                        List.of(new TopicPattern("endpoint.front"))))
                .write(users);
        Broker hub = Broker.launch(BrokerConfig.of("hub", directory.resolve("hub"))
                .withListen("127.0.0.1:0")
                .withUsers(users));
        opened.add(hub);

        // when, then
        assertRefused(
                "endpoint back: the user lacks the right",
                () -> open(config(hub, "back", "back").withCredentials("front", "secret")));
        Courier front = open(config(hub, "front", "front").withCredentials("front", "secret"));
        Box atFront = new Box();
        front.listen(atFront);
        front.send("back", Urgency.URGENT, body(1, 100));
        AgentException refusal = atFront.refused.poll(Child.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(refusal).isNotNull().hasMessageContaining("expected the right to publish endpoint.back");
        assertThat(refusal.code()).isEqualTo(AgentException.Code.REFUSED);
    }

    @Test
    void shouldSlowNobodyWhenAnEndpointIsDead() throws Exception {
        // given
        int sent = 200;
        Broker hub = launch("hub", 0);
        open(config(hub, "dead", "dead")).close();
        Courier front = open(config(hub, "front", "front"));
        Courier back = open(config(hub, "back", "back"));
        front.listen(new Box());
        Box atBack = new Box();
        back.listen(atBack);

        // when
        ByteBuffer body = body(0, MIB);
        for (int i = 0; i < sent; i++) {
            front.send("dead", Urgency.BULK, body);
        }
        for (int i = 0; i < 20; i++) {
            front.send("back", Urgency.BULK, body(i, MIB));
        }

        // then
        assertAllWhole(atBack, 20);
        Courier dead = open(config(hub, "dead", "dead"));
        Box atDead = new Box();
        dead.listen(atDead);
        awaitRoute(back, Urgency.BULK, atDead, "dead"); // behind all the others
        assertThat(atDead.bodies).as("kept of %d MiB", sent).hasSizeBetween(20, 150);
    }

    @Test
    void shouldGoOnWhenTheBrokerWasAway() throws Exception {
        // given
        int port = Ports.free();
        Broker hub = launch("hub", port);
        Courier front = open(config(hub, "front", "front"));
        Courier back = open(config(hub, "back", "back"));
        Box atFront = new Box();
        Box atBack = new Box();
        front.listen(atFront);
        back.listen(atBack);
        front.send("back", Urgency.BULK, body(1, MIB));
        assertThat(atBack.next()).isEqualTo(1);

        // when
        hub.close();
        front.send("back", Urgency.BULK, body(2, MIB));
        launch("hub", port);

        // then
        assertThat(atBack.nextBut(1)).as("sent while the broker was away").isEqualTo(2);
        back.send("front", Urgency.URGENT, body(3, 100));
        assertThat(atFront.next()).isEqualTo(3);
        await().untilAsserted(() -> assertThat(atFront.reconnected).hasPositiveValue());
        await().untilAsserted(() -> assertThat(atBack.reconnected).hasPositiveValue());
    }
}
