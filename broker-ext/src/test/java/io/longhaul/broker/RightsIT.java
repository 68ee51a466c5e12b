package io.longhaul.broker;

import static io.longhaul.broker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.broker.users.Account;
import io.longhaul.broker.users.PasswordHash;
import io.longhaul.broker.users.TopicPattern;
import io.longhaul.broker.users.UsersFile;
import io.longhaul.wire.Envelope;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.RepairRequest;
import io.longhaul.wire.TransferId;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQExceptionType;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.SessionFailureListener;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RightsIT {
    private static final String TRANSFER = "0123456789abcdef0123456789abcdef";

    @TempDir
    Path directory;

    private Path file;
    private UsersFile users;
    private Broker broker;

    @BeforeEach
    void launch() {
        file = directory.resolve("users.yaml");
        users = UsersFile.empty()
                .with(account("alice", "secret-a", "climate.*", "climate.*"))
                .with(account("bob", "secret-b", "none", "#"));
        users.write(file);
        broker = Broker.launch(BrokerConfig.of("one", directory.resolve("data"))
                .withListenCoreOnly("127.0.0.1:0")
                .withUsers(file));
    }

    @AfterEach
    void close() {
        broker.close();
    }

    private static Account account(String name, String password, String publish, String subscribe) {
        return Account.of(
                name,
                PasswordHash.of(password.toCharArray(), new Random(1)),
                List.of(new TopicPattern(publish)),
                List.of(new TopicPattern(subscribe)));
    }

    private Client connect(String user, String password) throws Exception {
        return Client.connect(broker.corePort(), user, password, Map.of());
    }

    private static void assertForbidden(ThrowingCallable call) {
        assertThatThrownBy(call).satisfies(e -> assertThat(security(e)).isTrue());
    }

    private static boolean security(Throwable e) {
        for (Throwable each = e; each != null; each = each.getCause()) {
            if (each instanceof ActiveMQException known
                    && known.getType() == ActiveMQExceptionType.SECURITY_EXCEPTION) {
                return true;
            }
        }
        return false;
    }

    @Test
    void shouldRefuseLoginWhenUserOrPasswordIsWrong() {
        // when then
        assertForbidden(() -> connect("alice", "wrong"));
        assertForbidden(() -> connect("nobody", "secret-a"));
        assertForbidden(() -> connect("", ""));
    }

    @Test
    void shouldKeepUsersToTheirTopicsWhenTheyPublishAndSubscribe() throws Exception {
        // given
        try (Client alice = connect("alice", "secret-a");
                Client bob = connect("bob", "secret-b")) {
            bob.subscription("climate.daily", "b");
            alice.subscription("climate.daily", "a");

            // when then
            alice.sendAndWait("lh.topic.climate.daily", alice.message("piece", TRANSFER, 0, new byte[10]));
            assertForbidden(() -> connect("bob", "secret-b")
                    .sendAndWait("lh.topic.climate.daily", bob.message("piece", TRANSFER, 1, new byte[10])));
            assertForbidden(() -> connect("alice", "secret-a").subscription("weather", "a"));
            assertForbidden(() -> connect("alice", "secret-a").session.createConsumer("lh.sub.climate.daily@b"));
            assertForbidden(() -> connect("alice", "secret-a").session.deleteQueue("lh.sub.climate.daily@b"));
            assertForbidden(() -> connect("alice", "secret-a").session.createConsumer("lh.broker"));
            try (ClientConsumer consumer = bob.session.createConsumer("lh.sub.climate.daily@b")) {
                Client.next(consumer);
            }
        }
    }

    /** A star of a right is one word, and a hash of an address would be any number of them. */
    @Test
    void shouldTakeWildcardsInAddressesForPlainNames() throws Exception {
        // given
        try (Client alice = connect("alice", "secret-a");
                Client bob = connect("bob", "secret-b")) {
            bob.subscription("climate.daily", "b");
            for (String topic : List.of("climate.#", "climate.*")) {
                alice.session.createQueue(QueueConfiguration.of("lh.sub." + topic + "@a")
                        .setAddress("lh.topic." + topic)
                        .setRoutingType(RoutingType.MULTICAST)
                        .setDurable(true));
            }

            // when
            alice.sendAndWait("lh.topic.climate.daily", alice.message("piece", TRANSFER, 0, new byte[10]));

            // then
            for (String topic : List.of("climate.#", "climate.*")) {
                assertThat(alice.session
                                .queueQuery(SimpleString.of("lh.sub." + topic + "@a"))
                                .getMessageCount())
                        .isZero();
            }
            try (ClientConsumer consumer = bob.session.createConsumer("lh.sub.climate.daily@b")) {
                Client.next(consumer);
            }
        }
    }

    @Test
    void shouldGiveAnInboxToWhoClaimedItFirst() throws Exception {
        // given
        QueueConfiguration inbox = QueueConfiguration.of("lh.inbox.agent-1")
                .setAddress("lh.inbox.agent-1")
                .setRoutingType(RoutingType.ANYCAST)
                .setDurable(true);
        try (Client alice = connect("alice", "secret-a");
                Client bob = connect("bob", "secret-b")) {
            alice.session.createQueue(inbox);

            // when then
            assertForbidden(() -> bob.session.createConsumer("lh.inbox.agent-1"));
            try (ClientConsumer consumer = alice.session.createConsumer("lh.inbox.agent-1")) {
                connect("bob", "secret-b")
                        .sendAndWait("lh.inbox.agent-1", bob.message("repair-offer", TRANSFER, 0, new byte[10]));
                Client.next(consumer);
            }
        }
    }

    private void askForPieces(String topic) throws Exception {
        try (Client alice = connect("alice", "secret-a")) {
            Envelope envelope = FrameCodec.encode(
                    new RepairRequest(TransferId.parse(TRANSFER), "s", "asker", 0, new byte[] {1}, topic));
            ClientMessage request = alice.session.createMessage(true);
            envelope.properties().forEach(request::putObjectProperty);
            request.getBodyBuffer().writeBytes(envelope.body());
            alice.sendAndWait("lh.inbox.archive", request);
        }
    }

    /** Whoever knows the identity of a transfer would have it. */
    @Test
    void shouldLetOnlySubscribersOfATopicAskForPiecesOfIt() throws Exception {
        // given
        try (Client archive = connect("bob", "secret-b")) {
            archive.session.createQueue(
                    QueueConfiguration.of("lh.inbox.archive").setRoutingType(RoutingType.ANYCAST));

            // when then
            askForPieces("climate.daily");
            assertForbidden(() -> askForPieces("weather"));
            assertForbidden(() -> askForPieces(""));
            assertThat(archive.session
                            .queueQuery(SimpleString.of("lh.inbox.archive"))
                            .getMessageCount())
                    .isEqualTo(1);
        }
    }

    @Test
    void shouldKnowNewUsersWhenTheFileChanges() throws Exception {
        // given
        assertForbidden(() -> connect("carol", "secret-c"));

        // when
        users.with(account("carol", "secret-c", "#", "#")).write(file);

        // then
        await().ignoreExceptions()
                .untilAsserted(() -> connect("carol", "secret-c").close());
    }

    @Test
    void shouldEndTheConnectionsOfWhomTheFileChanges() throws Exception {
        // given
        try (Client alice = connect("alice", "secret-a");
                Client bob = connect("bob", "secret-b")) {
            CompletableFuture<ActiveMQException> aliceLost = lost(alice);
            CompletableFuture<ActiveMQException> bobLost = lost(bob);
            bob.subscription("climate.daily", "b").session.createConsumer("lh.sub.climate.daily@b");

            // when
            users.without("bob").write(file);

            // then
            await().until(bobLost::isDone);
            assertForbidden(() -> connect("bob", "secret-b"));
            alice.sendAndWait("lh.topic.climate.daily", alice.message("piece", TRANSFER, 0, new byte[10]));
            assertThat(aliceLost).isNotDone();
        }
    }

    private static CompletableFuture<ActiveMQException> lost(Client client) {
        CompletableFuture<ActiveMQException> lost = new CompletableFuture<>();
        client.session.addFailureListener(new SessionFailureListener() {
            @Override
            public void connectionFailed(ActiveMQException cause, boolean failedOver) {
                lost.complete(cause);
            }

            @Override
            public void connectionFailed(ActiveMQException cause, boolean failedOver, String target) {
                lost.complete(cause);
            }

            @Override
            public void beforeReconnect(ActiveMQException cause) {}
        });
        return lost;
    }
}
