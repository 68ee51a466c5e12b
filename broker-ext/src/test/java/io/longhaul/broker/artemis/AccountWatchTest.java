package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.broker.limits.Limit;
import io.longhaul.broker.users.Account;
import io.longhaul.broker.users.FileRights;
import io.longhaul.broker.users.PasswordHash;
import io.longhaul.broker.users.TopicPattern;
import io.longhaul.broker.users.UsersFile;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AccountWatchTest {
    private static final PasswordHash PASSWORD = PasswordHash.of("p".toCharArray(), new Random(1));
    private final UsersFile before = UsersFile.empty()
            .with(account("ann", PASSWORD, "climate.*", Optional.empty()))
            .with(account("bob", PASSWORD, "climate.*", Optional.empty()));

    private static Account account(String name, PasswordHash password, String subscribe, Optional<Limit> limit) {
        return new Account(
                name, password, List.of(), List.of(new TopicPattern(subscribe)), false, false, FileRights.ALL, limit);
    }

    @Test
    void shouldEndNobodyWhoseAccountIsTheSame() {
        // given
        UsersFile now = before.with(account("carol", PASSWORD, "#", Optional.empty()))
                .with(account("bob", PASSWORD, "climate.*", Optional.of(new Limit(1, 1, 1, 1))));

        // then
        assertThat(AccountWatch.isChanged("ann", before, now)).isFalse();
        assertThat(AccountWatch.isChanged("bob", before, now)).isFalse();
        assertThat(AccountWatch.isChanged("of the server itself", before, now)).isFalse();
    }

    @Test
    void shouldEndWhoIsRemovedOrHasAnotherPasswordOrOtherRights() {
        // given
        PasswordHash other = PasswordHash.of("q".toCharArray(), new Random(2));

        // then
        assertThat(AccountWatch.isChanged("ann", before, before.without("ann"))).isTrue();
        assertThat(AccountWatch.isChanged("bob", before, before.without("ann"))).isFalse();
        assertThat(AccountWatch.isChanged(
                        "ann", before, before.with(account("ann", other, "climate.*", Optional.empty()))))
                .isTrue();
        assertThat(AccountWatch.isChanged(
                        "ann", before, before.with(account("ann", PASSWORD, "weather", Optional.empty()))))
                .isTrue();
    }
}
