package io.longhaul.broker;

import static io.longhaul.broker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.broker.users.Account;
import io.longhaul.broker.users.PasswordHash;
import io.longhaul.broker.users.TopicPattern;
import io.longhaul.broker.users.UsersFile;
import io.longhaul.wire.Refusals;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a crowd of logins does to those who are in, and to those who want to get in. */
class LoginCrowdIT {
    private static final String TRANSFER = "0123456789abcdef0123456789abcdef";
    private static final String TOPIC = "lh.topic.climate.daily";

    /** The longest that anything may stand still for who is in: a login of the crowd takes half a second of a core. */
    private static final Duration MOST_PAUSE = Duration.ofSeconds(2);

    /** Long enough for the server to ask anew for rights, which it does after a second. */
    private static final Duration WATCHED = Duration.ofSeconds(4);

    private static final int SLOW_ITERATIONS = 1_000_000;

    @TempDir
    Path directory;

    private final AtomicInteger pieces = new AtomicInteger();
    private Broker broker;

    @BeforeEach
    void launch() {
        Path file = directory.resolve("users.yaml");
        UsersFile.empty()
                .with(account("alice", PasswordHash.of("secret-a".toCharArray(), new Random(1))))
                .with(account("bob", PasswordHash.of("secret-b".toCharArray(), new Random(2))))
                .with(account("slow", slowHash()))
                .write(file);
        broker = Broker.launch(BrokerConfig.of("one", directory.resolve("data"))
                .withListenCoreOnly("127.0.0.1:0")
                .withUsers(file));
    }

    @AfterEach
    void close() {
        broker.close();
    }

    private static Account account(String name, PasswordHash password) {
        List<TopicPattern> topics = List.of(new TopicPattern("climate.*"));
        return Account.of(name, password, topics, topics);
    }

    /** Of no password that anybody knows. */
    private static PasswordHash slowHash() {
        Base64.Encoder encoder = Base64.getEncoder();
        return PasswordHash.parse("pbkdf2-sha256$" + SLOW_ITERATIONS + "$" + encoder.encodeToString(new byte[16]) + "$"
                + encoder.encodeToString(new byte[32]));
    }

    private Client connect(String user, String password) throws Exception {
        return Client.connect(broker.corePort(), user, password, Map.of());
    }

    /** Publishes a piece and takes it. */
    private void carry(Client client, ClientConsumer consumer) throws Exception {
        client.sendAndWait(TOPIC, client.message("piece", TRANSFER, pieces.getAndIncrement(), new byte[1000]));
        Client.next(consumer).acknowledge();
    }

    private Duration longestPause(Client client, ClientConsumer consumer, Duration watched) throws Exception {
        long startNs = System.nanoTime();
        long longestNs = 0;
        for (long now = startNs; now - startNs < watched.toNanos(); ) {
            carry(client, consumer);
            long then = System.nanoTime();
            longestNs = Math.max(longestNs, then - now);
            now = then;
        }
        return Duration.ofNanos(longestNs);
    }

    @Test
    void shouldCarryOnWithoutAPauseWhenTwoHundredLogInWithAWrongPassword() throws Exception {
        // given
        try (Client alice = connect("alice", "secret-a").subscription("climate.daily", "a");
                ClientConsumer consumer = alice.session.createConsumer("lh.sub.climate.daily@a")) {
            longestPause(alice, consumer, Duration.ofMillis(500));

            try (LoginCrowd crowd = LoginCrowd.of(200, broker.corePort(), "slow")) {
                // when
                Duration longest = longestPause(alice, consumer, WATCHED);
                long before = System.nanoTime();
                connect("alice", "secret-a").close();
                Duration anew = Duration.ofNanos(System.nanoTime() - before);

                // then
                System.out.printf(
                        "200 logins: longest pause %d ms, a login of who was in before %d ms, %d wait still%n",
                        longest.toMillis(), anew.toMillis(), crowd.waiting());
                assertThat(crowd.waiting()).as("logins that wait all the while").isGreaterThan(100);
                assertThat(longest).isLessThan(MOST_PAUSE);
                assertThat(anew).as("a login of who was in before").isLessThan(MOST_PAUSE);
            }
        }
    }

    @Test
    void shouldSayThatALoginWasNotLookedAtWhenTooManyWait() throws Exception {
        // given
        try (LoginCrowd crowd = LoginCrowd.of(300, broker.corePort(), "slow")) {
            await().until(() -> crowd.waiting() < 300);

            // when, then
            assertThatThrownBy(() -> connect("bob", "secret-b"))
                    .satisfies(e -> assertThat(Refusals.detail(Refusals.LATER, e))
                            .hasValueSatisfying(why -> assertThat(why).contains("256 logins wait already")));
        }

        // then
        await().ignoreExceptions()
                .untilAsserted(() -> connect("bob", "secret-b").close());
    }

    /** Behind one address there may be a whole site. */
    @Test
    void shouldKeepTheRightsOfWhoIsInWhenOthersOfItsAddressGuess() throws Exception {
        // given
        try (Client alice = connect("alice", "secret-a").subscription("climate.daily", "a");
                ClientConsumer consumer = alice.session.createConsumer("lh.sub.climate.daily@a")) {
            for (int i = 0; i < 10; i++) {
                String guess = "guess " + i;
                assertThatThrownBy(() -> connect("bob", guess)).hasMessageNotContaining(Refusals.LATER);
            }

            // when, then
            longestPause(alice, consumer, Duration.ofMillis(2500));
            try (ClientSession another = alice.another("alice", "secret-a")) {
                assertThat(another.isClosed()).isFalse();
            }
            assertThatThrownBy(() -> connect("bob", "secret-b"))
                    .satisfies(e -> assertThat(Refusals.says(Refusals.LATER, e)).isTrue());
            assertThatThrownBy(() -> alice.another("bob", "secret-b"))
                    .satisfies(e -> assertThat(Refusals.says(Refusals.LATER, e)).isTrue());
        }
    }
}
