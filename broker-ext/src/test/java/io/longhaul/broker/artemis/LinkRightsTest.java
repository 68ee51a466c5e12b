package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.broker.users.Account;
import io.longhaul.broker.users.FileRights;
import io.longhaul.broker.users.PasswordHash;
import io.longhaul.broker.users.TopicPattern;
import io.longhaul.wire.RepairRequest;
import io.longhaul.wire.TransferId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.activemq.artemis.api.core.Message;
import org.junit.jupiter.api.Test;

final class LinkRightsTest {
    private static final List<TopicPattern> ALL = List.of(new TopicPattern("#"));
    private static final Account ACCOUNT = new Account(
            "any",
            PasswordHash.of(new char[] {'x'}, new Random(1)),
            ALL,
            ALL,
            true,
            false,
            FileRights.ALL,
            Optional.empty());

    private final Map<String, Account> accounts = new HashMap<>();

    private LinkRights rightsOf(String user) {
        return LinkRights.of(user, name -> Optional.ofNullable(accounts.get(name)));
    }

    @Test
    void shouldUseAnyNameWhenNobodyLoggedIn() {
        assertThat(LinkRights.all().mayUseNameOf(Optional.of("somebody"))).isTrue();
    }

    @Test
    void shouldUseANameWhenItIsNewOrItsOwn() {
        // given
        accounts.put("leaf", ACCOUNT);

        // then
        assertThat(rightsOf("leaf").mayUseNameOf(Optional.empty())).isTrue();
        assertThat(rightsOf("leaf").mayUseNameOf(Optional.of("leaf"))).isTrue();
    }

    @Test
    void shouldNotUseANameOfAnotherAccountUntilThatMayLinkNoMore() {
        // given
        accounts.put("leaf", ACCOUNT);
        accounts.put("other", ACCOUNT);

        // then
        assertThat(rightsOf("other").mayUseNameOf(Optional.of("leaf"))).isFalse();

        // when
        accounts.remove("leaf");

        // then
        assertThat(rightsOf("other").mayUseNameOf(Optional.of("leaf"))).isTrue();
    }

    private static Message request(String topic) {
        RepairRequest request = new RepairRequest(new TransferId(1, 2), "s", "asker", 0, new byte[] {1}, topic);
        return FrameProperties.passing(1, "lh.inbox.archive", request);
    }

    @Test
    void shouldCarryRequestsForPiecesOfTopicsThatTheAccountMaySubscribeTo() {
        // given
        accounts.put(
                "leaf",
                new Account(
                        "leaf",
                        PasswordHash.of(new char[] {'x'}, new Random(1)),
                        ALL,
                        List.of(new TopicPattern("climate.*")),
                        true,
                        false,
                        FileRights.ALL,
                        Optional.empty()));

        // then
        assertThat(rightsOf("leaf").objection(request("climate.daily"), "lh.inbox.archive"))
                .isEmpty();
        assertThat(rightsOf("leaf").objection(request("weather"), "lh.inbox.archive"))
                .contains("its account may not ask for pieces of topic \"weather\"");
        assertThat(rightsOf("leaf").objection(request(""), "lh.inbox.archive")).isPresent();
        assertThat(LinkRights.all().objection(request(""), "lh.inbox.archive")).isEmpty();
    }

    @Test
    void shouldCarryForEndpointsWhatTheAccountMay() {
        // given
        accounts.put(
                "leaf",
                new Account(
                        "leaf",
                        PasswordHash.of(new char[] {'x'}, new Random(1)),
                        List.of(new TopicPattern("endpoint.back-1")),
                        List.of(new TopicPattern("endpoint.front.#")),
                        true,
                        false,
                        FileRights.ALL,
                        Optional.empty()));
        LinkRights rights = rightsOf("leaf");

        // then
        assertThat(rights.maySend("lh.endpoint.back-1")).isTrue();
        assertThat(rights.maySend("lh.endpoint.front.1")).isFalse();
        assertThat(rights.mayKeep("lh.endpoint.front.1")).isTrue();
        assertThat(rights.mayKeep("lh.endpoint.back-1")).isFalse();
        assertThat(rights.mayKnow("lh.endpoint.back-1")).isTrue();
        assertThat(rights.mayKnow("lh.endpoint.back-2")).isFalse();
    }

    @Test
    void shouldMaySendNothingWhenTheAccountIsGone() {
        // given
        accounts.put("leaf", ACCOUNT);
        LinkRights rights = rightsOf("leaf");
        boolean before = rights.maySend("lh.topic.t");

        // when
        accounts.clear();

        // then
        assertThat(before).isTrue();
        assertThat(rights.maySend("lh.topic.t")).isFalse();
    }

    private static Account account(long seed, String subscribe) {
        return new Account(
                "leaf",
                PasswordHash.of(new char[] {'x'}, new Random(seed)),
                ALL,
                List.of(new TopicPattern(subscribe)),
                true,
                false,
                FileRights.ALL,
                Optional.empty());
    }

    @Test
    void shouldTellWhenItsAccountHasChanged() {
        // given
        accounts.put("leaf", account(1, "a"));
        LinkRights rights = rightsOf("leaf");

        // when
        accounts.put("leaf", account(1, "a")); // the file was read again
        boolean same = rights.haveChanged();
        accounts.put("leaf", account(1, "b"));
        boolean other = rights.haveChanged();
        accounts.put("leaf", account(2, "a"));
        boolean password = rights.haveChanged();
        accounts.remove("leaf");

        // then
        assertThat(same).isFalse();
        assertThat(other).isTrue();
        assertThat(password).isTrue();
        assertThat(rights.haveChanged()).isTrue();
        assertThat(LinkRights.all().haveChanged()).isFalse();
    }
}
