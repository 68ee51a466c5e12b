package io.longhaul.broker;

import static io.longhaul.broker.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.broker.users.Account;
import io.longhaul.broker.users.FileRights;
import io.longhaul.broker.users.PasswordHash;
import io.longhaul.broker.users.TopicPattern;
import io.longhaul.broker.users.UsersFile;
import io.longhaul.wire.BrokerReport.FailingLink;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A leaf whose link password is changed at the hub. */
class LinkPasswordIT extends OneNetwork {
    private Path users;
    private Broker hub;
    private Broker leaf;

    @BeforeEach
    void launch() {
        users = directory.resolve("users.yaml");
        setPassword("right");
        hub = brokers.launch(brokers.config("hub").withUsers(users));
        launchLeaf();
        await().until(this::isLinked);
    }

    private void launchLeaf() {
        leaf = brokers.launch(brokers.config("leaf")
                .withLinks(new BrokerConfig.Links(List.of("127.0.0.1:" + hub.port()), "site", "right", 0, false)));
    }

    private void setPassword(String password) {
        List<TopicPattern> all = List.of(new TopicPattern("#"));
        PasswordHash hash = PasswordHash.of(password.toCharArray(), new Random(1));
        UsersFile.empty()
                .with(new Account("site", hash, all, all, true, false, FileRights.ALL, Optional.empty()))
                .write(users);
    }

    private boolean isLinked() {
        return leaf.snapshot().links().stream().anyMatch(link -> link.up());
    }

    @Test
    void shouldSayWhyALinkIsRefusedAndGoOnWhenItIsNotAnyMore() {
        // given
        assertThat(leaf.snapshot().failing()).isEmpty();

        // when
        setPassword("another");

        // then
        await().until(() -> !leaf.snapshot().failing().isEmpty());
        assertThat(leaf.snapshot().failing())
                .containsExactly(new FailingLink("127.0.0.1:" + hub.port(), "login", "unknown user or wrong password"));
        assertThat(isLinked()).isFalse();

        // when
        setPassword("right");

        // then
        await().until(this::isLinked);
        await().until(() -> leaf.snapshot().failing().isEmpty());
    }

    /** Others of its address guess. */
    @Test
    void shouldSayThatTheOtherBrokerDidNotLookAndGoOnWhenItDoes() {
        // given
        leaf.close();
        for (int i = 0; i < 10; i++) {
            String guess = "guess " + i;
            assertThatThrownBy(() -> Client.connect(hub.corePort(), "site", guess, Map.of()))
                    .isNotNull();
        }

        // when
        launchLeaf();

        // then
        await().until(() -> !leaf.snapshot().failing().isEmpty());
        assertThat(leaf.snapshot().failing()).singleElement().satisfies(link -> {
            assertThat(link.kind()).isEqualTo("later");
            assertThat(link.reason()).contains("too many logins from 127.0.0.1 have failed");
        });
        await().until(this::isLinked);
        await().until(() -> leaf.snapshot().failing().isEmpty());
    }
}
