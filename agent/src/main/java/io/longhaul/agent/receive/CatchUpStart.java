package io.longhaul.agent.receive;

import io.longhaul.agent.Since;
import io.longhaul.agent.SubscribeRequest;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.LedgerChange;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * From when on a subscription catches up.
 *
 * <p>A duration counts from the first start that said it, until all since then is taken in: what that start did not come to
 * must not fall out of the time that a later one asks for. The ledger keeps it in a setting, which is empty when it is over.
 *
 * @param time the time
 * @param kept whether it is that of an earlier start
 * @param setting where the ledger keeps it
 * @param content what the ledger keeps; empty for a time that was given as such
 */
record CatchUpStart(Instant time, boolean kept, String setting, String content) {
    private static final String SETTING = "catch-up.";

    /** Returns that of a request; empty when it catches up with nothing. */
    static Optional<CatchUpStart> of(SubscribeRequest request, Ledger ledger, Clock clock) {
        String setting = setting(request.topic(), request.name());
        return request.since().map(since -> of(since, setting, ledger, clock));
    }

    /** Returns where the ledger keeps that of a subscription. */
    static String setting(String topic, String subscription) {
        return SETTING + topic + "/" + subscription;
    }

    private static CatchUpStart of(Since since, String setting, Ledger ledger, Clock clock) {
        if (since.at().isPresent()) {
            return new CatchUpStart(since.at().get(), false, setting, "");
        }
        Duration ago = since.ago().orElseThrow();
        String words = ago + " before ";
        Optional<Instant> first = ledger.setting(setting)
                .filter(content -> content.startsWith(words))
                .map(content -> Instant.parse(content.substring(words.length())));
        Instant start = first.orElseGet(clock::instant);
        return new CatchUpStart(start.minus(ago), first.isPresent(), setting, words + start);
    }

    /** Returns whether the time was counted from this machine's clock. */
    boolean isCounted() {
        return !content.isEmpty();
    }

    /** Returns the change that keeps it for later starts, if there is something to keep. */
    Optional<LedgerChange> keep() {
        return isCounted() ? Optional.of(new LedgerChange.PutSetting(setting, content)) : Optional.empty();
    }

    /** Returns the change after which a later start counts from itself. */
    Optional<LedgerChange> over() {
        return isCounted() ? Optional.of(new LedgerChange.PutSetting(setting, "")) : Optional.empty();
    }
}
