package io.longhaul.broker.artemis;

import static io.longhaul.broker.Patience.await;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.longhaul.broker.limits.Limit;
import io.longhaul.broker.limits.QuotaFigures;
import io.longhaul.broker.limits.Quotas;
import io.longhaul.broker.link.LinkFrame;
import io.longhaul.broker.users.Account;
import io.longhaul.broker.users.FileRights;
import io.longhaul.broker.users.PasswordHash;
import io.longhaul.broker.users.TopicPattern;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.FrameType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ActiveMQServers;
import org.apache.activemq.artemis.core.server.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What comes over a link and cannot go on at once waits; at the disk's floor, what brings the broker off it does not. */
class LinkInletIT {
    private static final String TOPIC = "lh.topic.t";
    private static final String INBOX = "lh.inbox.a";

    @TempDir
    Path directory;

    private final RecordedSession peer = new RecordedSession();
    private volatile long freeBytes;
    private ActiveMQServer server;
    private DiskFloor floor;
    private Intake intake;
    private LinkInlet inlet;
    private final AtomicInteger tries = new AtomicInteger();
    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final AtomicLong nowNs = new AtomicLong();

    /** Of a time that stands still until it is moved, so that what is charged is charged for good. */
    private final Quotas quotas = new Quotas(
            user -> {
                tries.incrementAndGet();
                return new Quotas.User(Limit.NONE.with("rate", 150_000), topic -> true);
            },
            List.of(),
            topics -> 0,
            nowNs::get);

    @BeforeEach
    void start() throws Exception {
        server = ActiveMQServers.newActiveMQServer(
                new ConfigurationImpl().setPersistenceEnabled(false).setSecurityEnabled(false), false);
        server.start();
        for (String address : List.of(TOPIC, INBOX)) {
            server.createQueue(QueueConfiguration.of(address));
        }
        floor = new DiskFloor(directory, () -> freeBytes, 0);
        intake = new Intake(server, OrderClock.open(directory, Clock.systemUTC()), floor);
        inlet = inlet(Optional.empty(), LinkRights.all());
    }

    private LinkInlet inlet(Optional<Forwards> forwards, LinkRights rights) {
        QuietLog log = new QuietLog(RecordedLog.into(warnings), () -> 0);
        LinkInlet.Places places =
                new LinkInlet.Places(server, intake, quotas, forwards, new Routes(), new Behind(), "hub", log);
        return new LinkInlet(places, "leaf", peer.session(), rights, new LinkInlet.Lane(server));
    }

    @AfterEach
    void stop() throws Exception {
        inlet.end();
        server.stop();
    }

    private static LinkFrame.Carried message(long sequence, String address, int bytes) {
        CoreMessage message =
                new CoreMessage(1, bytes + 1024).setAddress(address).setDurable(true);
        message.getBodyBuffer().writeBytes(new byte[bytes]);
        ByteBuf encoded = Unpooled.buffer();
        message.sendBuffer(encoded, 0);
        return new LinkFrame.Carried(sequence, "leaf/", encoded);
    }

    private static LinkFrame.Carried piece(long sequence, String address, int bytes) {
        CoreMessage message = new CoreMessage(1, bytes + 1024).setAddress(address);
        message.putStringProperty(FrameCodec.TYPE, FrameType.PIECE.wireName());
        message.getBodyBuffer().writeBytes(new byte[bytes]);
        ByteBuf encoded = Unpooled.buffer();
        message.sendBuffer(encoded, 0);
        return new LinkFrame.Carried(sequence, "leaf/", encoded);
    }

    private List<Long> taken() {
        return peer.sent(LinkFrame.Taken.class).stream()
                .map(LinkFrame.Taken::sequence)
                .toList();
    }

    private long waitingIn(String queue) {
        return server.locateQueue(SimpleString.of(queue)).getMessageCount();
    }

    @Test
    void shouldLetWordsPassBodiesAtTheFloorAndConfirmInOrder() throws Exception {
        // given
        freeBytes = 0;
        floor.look();
        inlet.received(message(1, TOPIC, 100_000));
        inlet.received(message(2, TOPIC, 100_000));

        // when
        inlet.received(message(3, INBOX, 100));

        // then
        await().untilAsserted(() -> assertThat(waitingIn(INBOX)).isEqualTo(1));
        assertThat(waitingIn(TOPIC)).isZero();
        assertThat(taken()).as("nothing before the bodies").isEmpty();

        // when
        freeBytes = 1L << 40;
        floor.look();

        // then
        await().untilAsserted(() -> assertThat(taken()).last().isEqualTo(3L));
        await().untilAsserted(() -> assertThat(waitingIn(TOPIC)).isEqualTo(2));
        assertThat(waitingIn(INBOX)).as("taken once").isEqualTo(1);
    }

    private static LinkRights ofSite() {
        Account site = new Account(
                "site",
                PasswordHash.NONE,
                List.of(new TopicPattern("#")),
                List.of(),
                true,
                false,
                FileRights.ALL,
                Optional.empty());
        return LinkRights.of("site", name -> Optional.of(site));
    }

    private void awaitMoreTries() {
        int before = tries.get();
        await().untilAsserted(() -> assertThat(tries).hasValueGreaterThan(before + 2));
    }

    @Test
    void shouldCountOnceAPieceThatWaitsForTheRateOfItsAccount() {
        // given
        freeBytes = 1L << 40;
        floor.look();
        inlet = inlet(Optional.empty(), ofSite());
        inlet.received(piece(1, TOPIC, 100_000));
        inlet.received(piece(2, TOPIC, 100_000));

        // when
        inlet.received(piece(3, TOPIC, 100_000));
        inlet.received(message(4, INBOX, 100));
        await().untilAsserted(() -> assertThat(waitingIn(INBOX)).isEqualTo(1));
        awaitMoreTries();

        // then
        assertThat(quotas.figures()).containsExactly(new QuotaFigures("user site", 1, 0, 0));

        // when
        nowNs.addAndGet(Duration.ofSeconds(1).toNanos());

        // then
        await().untilAsserted(() -> assertThat(waitingIn(TOPIC)).isEqualTo(3));
        assertThat(quotas.figures()).containsExactly(new QuotaFigures("user site", 1, 0, 0));
    }

    /** A relay that has lost its disk waits until neighbours had the time to say what they want. */
    @Test
    void shouldChargeAPieceOnceHoweverOftenItIsTried() throws Exception {
        // given
        freeBytes = 1L << 40;
        floor.look();
        inlet = inlet(Optional.of(new Forwards("hub", () -> 0)), ofSite());

        // when
        inlet.received(piece(1, "lh.topic.late", 100_000));
        await().untilAsserted(() -> assertThat(tries).hasValueGreaterThan(5));
        server.createQueue(QueueConfiguration.of("lh.topic.late"));

        // then
        await().untilAsserted(() -> assertThat(waitingIn("lh.topic.late")).isEqualTo(1));
        assertThat(quotas.pauseNs("site"))
                .as("one piece is less than a second's worth")
                .isZero();
    }

    private static LinkFrame.Carried publishedAfter(long sequence, Object drains) {
        CoreMessage message = new CoreMessage(1, 1024).setAddress(TOPIC).setDurable(true);
        message.putObjectProperty(FrameProperties.AFTER, drains);
        ByteBuf encoded = Unpooled.buffer();
        message.sendBuffer(encoded, 0);
        return new LinkFrame.Carried(sequence, "leaf/", encoded);
    }

    @Test
    void shouldTakeMessagesThatSayNonsenseOfQueuesThatRunDryAndSayItNoFurther() throws Exception {
        // given
        freeBytes = 1L << 40;
        floor.look();
        new LinkQueues(server, "away").open(TOPIC);
        Queue dry = server.locateQueue("lh.link.away@" + TOPIC);
        new LinkQueues(server, "away").shut(dry, "hub", 7);

        // when
        inlet.received(publishedAfter(1, "hub=many"));
        inlet.received(publishedAfter(2, "hub=99999999999999999999/far=1"));
        inlet.received(publishedAfter(3, 8L));
        inlet.received(publishedAfter(4, "hub=8"));

        // then
        await().untilAsserted(() -> assertThat(taken()).last().isEqualTo(4L));
        await().untilAsserted(
                        () -> assertThat(waitingIn(dry.getName().toString())).isEqualTo(3));
        dry.forEach(each -> assertThat(each.getMessage().containsProperty(FrameProperties.AFTER))
                .isFalse());
        assertThat(waitingIn(TOPIC)).isEqualTo(4);
        assertThat(warnings).singleElement(as(STRING)).contains("link from leaf", "dry queues");
    }
}
