package io.longhaul.broker;

import static io.longhaul.broker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.broker.users.Account;
import io.longhaul.broker.users.FileRights;
import io.longhaul.broker.users.PasswordHash;
import io.longhaul.broker.users.TopicPattern;
import io.longhaul.broker.users.UsersFile;
import io.longhaul.wire.Refusals;
import io.longhaul.wire.RemovalAnswer;
import io.longhaul.wire.RemovalRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.junit.jupiter.api.Test;

/** A broker is taken out of the network for good. */
class RemovalIT extends OneNetwork {
    private static final String TOPIC = "lh.topic.t";
    private static final byte[] BODY = new byte[1000];

    private static RemovalAnswer remove(Client client, String broker, boolean force) throws Exception {
        return client.ask(new RemovalRequest(broker, force, Client.ANSWER), RemovalAnswer.class);
    }

    private static boolean isKept(Client client, String queue) throws Exception {
        return client.session.queueQuery(SimpleString.of(queue)).isExists();
    }

    /** Returns what the hub keeps for the leaf. */
    private static long waiting(Client operator) throws Exception {
        return operator.session
                .queueQuery(SimpleString.of("lh.link.leaf@" + TOPIC))
                .getMessageCount();
    }

    private static void publish(Client client, int index) throws Exception {
        client.sendAndWait(TOPIC, client.message("piece", "00000000000000000000000000000001", index, BODY));
    }

    @Test
    void shouldFreeWhatIsKeptForASiteAndWithdrawItsDemandWhenItIsRemoved() throws Exception {
        // given
        Broker hub = brokers.launch(brokers.config("hub"));
        Broker leaf = brokers.launch(brokers.config("leaf").withLinks(Brokers.to(hub)));
        Client publisher = brokers.connect(brokers.launch(brokers.config("far").withLinks(Brokers.to(hub))), "");
        Client operator = brokers.connect(hub, "");
        brokers.connect(leaf, "").subscription("t", "s");
        await().ignoreExceptions().untilAsserted(() -> publish(publisher, 0));
        assertThat(remove(operator, "leaf", true).refusal()).contains("linked to hub now");
        leaf.close();
        publish(publisher, 1);
        await().until(() -> waiting(operator) > 0);

        // when
        await().untilAsserted(() ->
                assertThat(remove(operator, "leaf", false).refusal()).contains(" frames (", "--force"));
        RemovalAnswer removed = remove(operator, "leaf", true);

        // then
        assertThat(removed.refusal()).isEmpty();
        assertThat(removed.frames())
                .as("the first one may not have been confirmed")
                .isBetween(1L, 2L);
        assertThat(removed.bytes()).isGreaterThan(BODY.length);
        for (String queue : List.of("lh.link.leaf@" + TOPIC, "lh.relay.leaf", "lh.post.leaf")) {
            assertThat(isKept(operator, queue)).as(queue).isFalse();
        }
        assertThat(isKept(operator, "lh.relay.far")).isTrue();
        await().untilAsserted(() -> assertThatThrownBy(() -> publish(publisher, 2))
                .isInstanceOf(ExecutionException.class)
                .matches(e -> Refusals.says(Refusals.NO_SUBSCRIPTION, e.getCause())));
        assertThat(remove(operator, "leaf", false))
                .as("what was done is said to who asks again")
                .isEqualTo(removed);
        assertThat(remove(operator, "laef", false).refusal()).contains("keeps nothing for laef; its neighbours: far");
        publisher.subscription("t", "s");
    }

    @Test
    void shouldListenToOperatorsOnlyWhenThereAreUsers() throws Exception {
        // given
        Path users = directory.resolve("users.yaml");
        UsersFile.empty()
                .with(account("site-a", true, false))
                .with(account("ops", false, true))
                .write(users);
        Broker hub = brokers.launch(brokers.config("hub").withUsers(users));

        // when, then
        assertThat(remove(brokers.connect(hub, "site-a"), "leaf", true).refusal())
                .contains("user site-a is no operator");
        assertThat(remove(brokers.connect(hub, "ops"), "leaf", true).refusal()).contains("keeps nothing for leaf");
    }

    private static Account account(String name, boolean link, boolean operate) {
        List<TopicPattern> all = List.of(new TopicPattern("#"));
        PasswordHash password = PasswordHash.of("secret".toCharArray(), new Random(1));
        return new Account(name, password, all, all, link, operate, FileRights.ALL, Optional.empty());
    }
}
