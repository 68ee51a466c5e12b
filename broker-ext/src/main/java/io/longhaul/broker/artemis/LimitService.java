package io.longhaul.broker.artemis;

import io.longhaul.broker.limits.Limit;
import io.longhaul.broker.limits.Quotas;
import io.longhaul.broker.users.Account;
import io.longhaul.broker.users.Logins;
import java.util.Optional;

/**
 * A server's limits of users and topics.
 *
 * @param keeper what keeps frames to them
 * @param backlogs what waits on topics
 */
record LimitService(LimitKeeper keeper, TopicBacklogs backlogs) {

    /** Takes limits from the settings, and those of single users from the users file as it is at the time. */
    static LimitService of(ServerSettings.Limits limits, ForcedServer server, Optional<Logins> logins) {
        HeldAnswers answers = new HeldAnswers(System::nanoTime, HeldAnswers.timer(server::getScheduledPool));
        server.hold(answers);
        TopicBacklogs backlogs = new TopicBacklogs(server);
        Quotas quotas = new Quotas(
                user -> user(logins.flatMap(known -> known.account(user)), limits.eachUser()),
                limits.topics(),
                backlogs,
                System::nanoTime);
        return new LimitService(new LimitKeeper(server, quotas, answers), backlogs);
    }

    private static Quotas.User user(Optional<Account> account, Limit ofEach) {
        return account.map(known -> new Quotas.User(known.limit().orElse(ofEach), known::mayPublish))
                .orElseGet(() -> new Quotas.User(ofEach, topic -> true));
    }

    Quotas quotas() {
        return keeper.quotas();
    }

    void look() {
        backlogs.look();
    }
}
