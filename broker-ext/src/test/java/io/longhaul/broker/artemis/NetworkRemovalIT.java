package io.longhaul.broker.artemis;

import static io.longhaul.broker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.broker.Patience;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.RemovalAnswer;
import io.longhaul.wire.RemovalRequest;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.security.SecurityAuth;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.ActiveMQServers;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.plugin.ActiveMQServerPlugin;
import org.apache.activemq.artemis.core.transaction.Transaction;
import org.apache.activemq.artemis.utils.ExecutorFactory;
import org.apache.activemq.artemis.utils.actors.ArtemisExecutor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A neighbour is removed while its queues go slowly, or not at first. */
class NetworkRemovalIT {
    private static final RemovalRequest REQUEST = new RemovalRequest("leaf", false, Addresses.ANSWER_PREFIX + "a");
    private static final SimpleString QUEUE = SimpleString.of("lh.link.leaf@lh.topic.t");

    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final CountDownLatch mayGo = new CountDownLatch(1);
    private volatile boolean failing;
    private volatile boolean failingInside;
    private volatile Runnable beforeQueuesGo = () -> {};
    private ActiveMQServer server;
    private Network network;

    @BeforeEach
    void start() throws Exception {
        server = ActiveMQServers.newActiveMQServer(
                new ConfigurationImpl().setPersistenceEnabled(false).setSecurityEnabled(false), false);
        server.start();
        LinkQueues queues = new LinkQueues(server, "leaf");
        queues.relay();
        queues.open("lh.topic.t");
        server.registerBrokerPlugin(new ActiveMQServerPlugin() {
            @Override
            public void beforeDestroyQueue(
                    Queue queue, SecurityAuth session, boolean check, boolean consumers, boolean address)
                    throws ActiveMQException {
                if (failing && queue.getName().equals(QUEUE)) {
                    throw new ActiveMQException("the disk failed");
                }
                awaitPermission();
            }

            @Override
            public void beforeRemoveBinding(SimpleString name, Transaction tx, boolean data) throws ActiveMQException {
                if (failingInside && name.equals(QUEUE)) {
                    throw new ActiveMQException("the disk failed inside");
                }
            }
        });
        QuietLog log = new QuietLog(LoggerFactory.getLogger(NetworkRemovalIT.class), System::nanoTime);
        network = new Network(LoneNetwork.parts(withDelays(server), server, new Behind(), "hub", log), thread);
        onThread(() -> {
            network.start();
            return true;
        });
    }

    @AfterEach
    void stop() throws Exception {
        mayGo.countDown();
        thread.shutdownNow();
        server.stop();
    }

    /** A server on whose executors something happens before each task. */
    private ActiveMQServer withDelays(ActiveMQServer real) {
        ExecutorFactory factory = real.getExecutorFactory();
        ExecutorFactory delayed = () -> {
            ArtemisExecutor executor = factory.getExecutor();
            return task -> executor.execute(() -> {
                beforeQueuesGo.run();
                task.run();
            });
        };
        return (ActiveMQServer) Proxy.newProxyInstance(
                ActiveMQServer.class.getClassLoader(),
                new Class<?>[] {ActiveMQServer.class},
                (self, method, arguments) -> {
                    try {
                        return method.getName().equals("getExecutorFactory") ? delayed : method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause() == null ? e : e.getCause();
                    }
                });
    }

    private void publish() {
        Message frame = new CoreMessage(server.getStorageManager().generateID(), 50)
                .setAddress("lh.topic.t")
                .setDurable(true);
        try {
            server.getPostOffice().route(frame, false);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        await().until(() -> server.locateQueue(QUEUE).getDurableMessageCount() == 1);
    }

    private void awaitPermission() {
        try {
            mayGo.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private <T> T onThread(Callable<T> task) throws Exception {
        return thread.submit(task).get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    private CompletableFuture<RemovalAnswer> remove() throws Exception {
        return onThread(() -> network.remove(REQUEST));
    }

    @Test
    void shouldServeTheNetworkAndTakeRepeatedQuestionsWhileQueuesAreDestroyed() throws Exception {
        // given
        CompletableFuture<RemovalAnswer> first = remove();

        // when
        CompletableFuture<RemovalAnswer> again = remove();

        // then
        assertThat(first).isNotDone();
        assertThat(again).isNotDone();
        assertThat(onThread(() -> network.objection("leaf", false, LinkRights.all())))
                .as("a link before the queues are gone")
                .isPresent();

        // when
        mayGo.countDown();

        // then
        RemovalAnswer answer = first.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(answer).isEqualTo(new RemovalAnswer("hub", "leaf", "", 3, 0, 0));
        assertThat(again.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(answer);
        assertThat(remove().get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(answer);
        assertThat(server.locateQueue(QUEUE)).isNull();
        assertThat(onThread(() -> network.objection("leaf", false, LinkRights.all())))
                .isEmpty();
    }

    @Test
    void shouldSayWhyAndTryAgainWhenAQueueCannotBeDestroyed() throws Exception {
        // given
        LinkQueues queues = new LinkQueues(server, "leaf");
        queues.setAccount("site-leaf");
        mayGo.countDown();
        failing = true;

        // when
        RemovalAnswer answer = remove().get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);

        // then
        assertThat(answer.refusal()).contains("could not free all queues of leaf", "the disk failed");
        assertThat(queues.account()).as("the name is still somebody's").contains("site-leaf");

        // when
        failing = false;

        // then
        assertThat(remove().get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS).refusal())
                .isEmpty();
        assertThat(server.locateQueue(QUEUE)).isNull();
    }

    /** The server tries once, and says nothing when it is asked again. */
    @Test
    void shouldNotSayThatAQueueIsGoneWhichTheServerKeeps() throws Exception {
        // given
        mayGo.countDown();
        failingInside = true;
        assertThat(remove().get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS).refusal())
                .contains("the disk failed inside");

        // when
        failingInside = false;
        RemovalAnswer answer = remove().get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);

        // then
        assertThat(server.locateQueue(QUEUE)).isNotNull();
        assertThat(answer.refusal()).contains(QUEUE + " is still there");
    }

    @Test
    void shouldKeepWhatCameAfterTheQuestionUnlessItIsGivenUp() throws Exception {
        // given
        mayGo.countDown();
        beforeQueuesGo = this::publish;

        // when
        RemovalAnswer answer = remove().get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
        beforeQueuesGo = () -> {};

        // then
        assertThat(answer.refusal()).contains("keeps 1 frames", "expected --force");
        assertThat(server.locateQueue(QUEUE).getMessageCount()).isEqualTo(1);
        RemovalRequest forced = new RemovalRequest("leaf", true, REQUEST.replyTo());
        assertThat(onThread(() -> network.remove(forced))
                        .get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)
                        .frames())
                .isEqualTo(1);
    }
}
