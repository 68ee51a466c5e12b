package io.longhaul.broker.artemis;

import static io.longhaul.broker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.broker.Patience;
import io.longhaul.broker.link.LinkFrame;
import io.longhaul.broker.link.LinkSession;
import io.longhaul.broker.users.Account;
import io.longhaul.broker.users.FileRights;
import io.longhaul.broker.users.PasswordHash;
import io.longhaul.broker.users.TopicPattern;
import io.longhaul.ptcp.artemis.PtcpParameters;
import io.longhaul.ptcp.net.PtcpClient;
import io.longhaul.wire.BrokerReport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ActiveMQServers;
import org.apache.activemq.artemis.core.server.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Links of one broker, whose other ends are lists. */
class NetworkLinksIT {
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final RecordedSession first = new RecordedSession();
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Behind behind = new Behind();
    private volatile Account account = account("#");
    private ActiveMQServer server;
    private Network network;

    @BeforeEach
    void start() throws Exception {
        server = ActiveMQServers.newActiveMQServer(
                new ConfigurationImpl().setPersistenceEnabled(false).setSecurityEnabled(false), false);
        server.start();
        QuietLog log = new QuietLog(RecordedLog.into(lines), System::nanoTime);
        network = new Network(LoneNetwork.parts(server, server, behind, "hub", log), thread);
        onThread(() -> {
            network.start();
            return true;
        });
    }

    @AfterEach
    void stop() throws Exception {
        thread.shutdownNow();
        server.stop();
    }

    private <T> T onThread(Callable<T> task) throws Exception {
        return thread.submit(task).get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    private void attach(LinkSession session) throws Exception {
        onThread(() -> {
            network.attach("leaf", session, LinkRights.all());
            network.begin("leaf", session);
            return true;
        });
    }

    private Optional<LinkFrame.Reason> refusal() throws Exception {
        return onThread(() -> network.objection("leaf", false, LinkRights.all()))
                .map(LinkFrame.Refused::reason);
    }

    /** Or two links of one broker, or two brokers of one name, would take each other's place for ever. */
    @Test
    void shouldRefuseAnotherLinkFromABrokerWhileTheFirstIsAlive() throws Exception {
        // given
        attach(first.session());

        // then
        assertThat(refusal()).contains(LinkFrame.Reason.LINKED);

        // when
        first.silent(Duration.ofSeconds(2));
        Optional<LinkFrame.Reason> late = refusal();
        first.silent(Duration.ofSeconds(3));

        // then
        assertThat(late).as("one sign of life a second, one of them late").contains(LinkFrame.Reason.LINKED);
        assertThat(refusal()).isEmpty();
    }

    @Test
    void shouldTakeANewLinkAtOnceWhenTheFirstHasLostItsConnections() throws Exception {
        // given
        attach(first.session());

        // when
        first.cut();

        // then
        assertThat(refusal()).isEmpty();
    }

    @Test
    void shouldKnowToWhomItHasOpenedALink() throws Exception {
        // given
        LinkSession session = first.opened();
        attach(session);
        boolean before = onThread(() -> network.hasOpened("leaf"));

        // when
        onThread(() -> {
            network.ended("leaf", session, "cut");
            return true;
        });

        // then
        assertThat(before).isTrue();
        assertThat(onThread(() -> network.hasOpened("leaf"))).isFalse();
    }

    @Test
    void shouldNotCallALinkFailingWhoseOtherSideHasOpenedIt() throws Exception {
        // given
        BrokerReport.FailingLink twice = new BrokerReport.FailingLink("leaf:7400", "linked", "there is a link");
        BrokerReport.FailingLink other = new BrokerReport.FailingLink("other:7400", "login", "wrong password");

        // when
        List<BrokerReport.FailingLink> alone = failing(twice);
        attach(first.session());

        // then
        assertThat(alone).containsExactly(twice);
        assertThat(failing(twice)).isEmpty();
        assertThat(failing(other)).containsExactly(other);
    }

    @Test
    void shouldNotCallALinkFailingWhileItWaitsForAnotherOneToTheSameBroker() throws Exception {
        // given
        ServerSettings.LinkTo to = new ServerSettings.LinkTo(
                List.of(PtcpParameters.of(Map.of("host", "leaf.example", "port", 7400))), "", "");
        try (PtcpClient client = PtcpClient.launch("dialer", 1)) {
            LinkDialer dialer =
                    new LinkDialer(to, new LinkDialer.Shared(client, network, "hub", thread, Runnable::run));
            onThread(() -> {
                dialer.stood("leaf");
                return true;
            });
            List<BrokerReport.FailingLink> away =
                    failing(new BrokerReport.FailingLink(to.label(), "unreachable", "Connection refused"));
            attach(first.opened());

            // when
            List<BrokerReport.FailingLink> waiting = onThread(() -> {
                dialer.dial();
                network.reporter().report();
                return network.reporter().own().failing();
            });

            // then
            assertThat(away).hasSize(1);
            assertThat(waiting).isEmpty();
        }
    }

    private List<BrokerReport.FailingLink> failing(BrokerReport.FailingLink link) throws Exception {
        onThread(() -> {
            network.reporter().fails(link);
            return true;
        });
        return report().failing();
    }

    private LinkRights rights() {
        return LinkRights.of("site", name -> Optional.of(account));
    }

    private static Account account(String... subscribe) {
        List<TopicPattern> all = Stream.of(subscribe).map(TopicPattern::new).toList();
        PasswordHash password = PasswordHash.of(new char[] {'x'}, new Random(1));
        return new Account("site", password, all, all, true, false, FileRights.ALL, Optional.empty());
    }

    /** Links as a broker that wants some queues. */
    private LinkSession want(RecordedSession recorded, String... queues) throws Exception {
        LinkSession session = recorded.session();
        onThread(() -> {
            network.attach("leaf", session, rights());
            network.begin("leaf", session);
            network.wants("leaf", session, new LinkFrame.Wants(1, true, Set.of(), Set.of(queues)));
            return true;
        });
        return session;
    }

    private Queue queue(String topic) {
        return server.locateQueue("lh.link.leaf@lh.topic." + topic);
    }

    private void publish(String topic) throws Exception {
        Message frame = new CoreMessage(server.getStorageManager().generateID(), 50)
                .setAddress("lh.topic." + topic)
                .setDurable(true);
        server.getPostOffice().route(frame, false);
    }

    @Test
    void shouldSayForHowLongNothingWasHeardOfTheOtherEnd() throws Exception {
        // given
        attach(first.session());
        first.silent(Duration.ofSeconds(9));

        // when then
        assertThat(report().links())
                .singleElement()
                .satisfies(link -> assertThat(link.silentMillis()).isEqualTo(9000));
    }

    private BrokerReport report() throws Exception {
        return onThread(() -> {
            network.reporter().report();
            return network.reporter().own();
        });
    }

    @Test
    void shouldGiveUpALinkWhoseAccountHasChanged() throws Exception {
        // given
        account = account("a");
        want(first, "lh.sub.a@s");
        onThread(() -> true);
        List<String> before = first.aborts();

        // when
        account = account("a", "b");

        // then
        assertThat(before).isEmpty();
        await().until(() -> first.aborts().contains("the rights of its account have changed"));
    }

    @Test
    void shouldKeepWhatWaitsAndNotSendItWhenTheRightToItIsGone() throws Exception {
        // given
        account = account("a", "b");
        LinkSession session = want(first, "lh.sub.a@s", "lh.sub.b@s");
        onThread(() -> {
            network.ended("leaf", session, "cut");
            return true;
        });
        publish("a");
        publish("b");
        await().until(() -> queue("a").getMessageCount() + queue("b").getMessageCount() == 2);

        // when
        account = account("b");
        RecordedSession second = new RecordedSession();
        LinkSession narrowed = want(second, "lh.sub.a@s", "lh.sub.b@s");

        // then
        await().until(() -> second.sent(LinkFrame.Carried.class).size() == 1);
        publish("a");
        publish("b");
        await().until(() -> second.sent(LinkFrame.Carried.class).size() == 2);
        assertThat(queue("a").getMessageCount()).isEqualTo(1);
        assertThat(queue("a").getConsumerCount()).isZero();
        assertThat(report().links())
                .singleElement()
                .satisfies(link -> assertThat(link.heldFrames()).isEqualTo(1))
                .satisfies(link -> assertThat(link.heldBytes()).isPositive())
                .satisfies(link -> assertThat(link.backlogFrames())
                        .as("what is still to go over the link: the message for b that it has not taken yet")
                        .isEqualTo(queue("b").getMessageCount()));

        // when
        onThread(() -> {
            network.ended("leaf", narrowed, "cut");
            return true;
        });
        account = account("a", "b");
        RecordedSession third = new RecordedSession();
        want(third, "lh.sub.a@s", "lh.sub.b@s");

        // then
        await().until(() ->
                !third.sent(LinkFrame.Carried.class).isEmpty() && queue("a").getConsumerCount() == 1);
    }

    @Test
    void shouldHaveWhatWasUnderWayBackInItsQueueWhenItHasLeft() throws Exception {
        // given
        account = account("a");
        want(first, "lh.sub.a@s");
        publish("a");
        await().until(() -> first.sent(LinkFrame.Carried.class).size() == 1);
        int before = queue("a").getDeliveringCount();

        // when
        onThread(network::leave).get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);

        // then
        assertThat(before).isEqualTo(1);
        assertThat(queue("a").getDeliveringCount()).isZero();
        assertThat(queue("a").getMessageCount()).isEqualTo(1);
    }

    /** Or nobody could promise to repair it, and it would stay beyond every limit while the neighbour is away. */
    @Test
    void shouldKnowToWhomItIsOwedWhatWaitsForWhoWantsNothingMore() throws Exception {
        // given
        LinkSession session = want(first, "lh.sub.a@s1", "lh.sub.a@s2", "lh.sub.b@s");

        // when
        onThread(() -> {
            Set<String> gone = Set.of("lh.sub.a@s1", "lh.sub.a@s2");
            network.wants("leaf", session, new LinkFrame.Wants(2, false, gone, Set.of()));
            return true;
        });

        // then
        assertThat(behind.subscriptions("lh.link.leaf@lh.topic.a")).containsExactly("s1", "s2");

        // when
        onThread(() -> {
            network.wants("leaf", session, new LinkFrame.Wants(3, false, Set.of(), Set.of("lh.sub.a@s3")));
            return true;
        });

        // then
        assertThat(behind.subscriptions("lh.link.leaf@lh.topic.a")).containsExactly("s3");
    }

    @Test
    void shouldNameTheQueuesThatAnAccountMayNotHave() throws Exception {
        // given
        account = account("a");

        // when
        want(first, "lh.sub.a@s", "lh.sub.secret@s");

        // then
        assertThat(lines)
                .singleElement()
                .asString()
                .contains("link from leaf", "account \"site\"", "1 of", "lh.sub.secret@s");
    }
}
