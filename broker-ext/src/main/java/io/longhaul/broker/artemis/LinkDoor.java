package io.longhaul.broker.artemis;

import io.longhaul.broker.link.LinkCodec;
import io.longhaul.broker.link.LinkFrame;
import io.longhaul.broker.users.Account;
import io.longhaul.broker.users.Logins;
import io.longhaul.broker.witness.WitnessDoor;
import io.longhaul.broker.witness.WitnessFrame;
import io.longhaul.broker.witness.WitnessFrame.Reason;
import io.longhaul.wire.Names;
import io.longhaul.wire.WireException;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Says whether another broker may link to this one, and what it may do then; or ask it as a witness. Thread-safe; may take
 * a while.
 */
final class LinkDoor implements WitnessDoor.Rights {
    private final String self;
    private final Optional<Logins> logins;

    LinkDoor(String self, Optional<Logins> logins) {
        this.self = self;
        this.logins = logins;
    }

    /** What becomes of a greeting. */
    record Verdict(Optional<LinkFrame.Refused> refusal, LinkRights rights) {}

    private static Verdict refused(LinkFrame.Reason reason, String text) {
        return new Verdict(Optional.of(new LinkFrame.Refused(reason, text)), LinkRights.all());
    }

    Verdict look(LinkFrame.Hello hello, String host) {
        if (hello.version() != LinkCodec.VERSION) {
            return refused(
                    LinkFrame.Reason.VERSION,
                    "broker " + self + " speaks version " + LinkCodec.VERSION + " of the link protocol, found "
                            + hello.version());
        }
        try {
            Names.broker(hello.broker());
        } catch (WireException e) {
            return refused(LinkFrame.Reason.PROTOCOL, String.valueOf(e.getMessage()));
        }
        if (hello.broker().equals(self)) {
            return refused(LinkFrame.Reason.SAME_NAME, "both brokers have the name " + self);
        }
        // before the password is looked at: a change in between is one of these rights
        LinkRights rights = rights(hello.user());
        return objection(hello.user(), hello.password(), host)
                .map(why -> refused(LinkFrame.Reason.LOGIN, why.text()))
                .orElseGet(() -> new Verdict(Optional.empty(), rights));
    }

    private LinkRights rights(String user) {
        return logins.map(known -> LinkRights.of(user, known::account)).orElseGet(LinkRights::all);
    }

    @Override
    public BooleanSupplier unchanged(String user) {
        LinkRights now = rights(user);
        return () -> !now.haveChanged();
    }

    /** Returns whether there is an account of this name that may link. */
    boolean isLinking(String user) {
        return logins.flatMap(known -> known.account(user))
                .filter(Account::mayLink)
                .isPresent();
    }

    /** Returns why somebody is no broker that may come in; empty for who is. */
    @Override
    public Optional<WitnessFrame.Refused> objection(String user, String password, String host) {
        if (logins.isEmpty()) {
            return Optional.empty();
        }
        Logins.Look look = logins.get().look(user, password, host);
        if (look.barred()) {
            return refusal(
                    Reason.LATER, "too many logins from " + host + " have failed; expected fewer, or a while between");
        }
        if (look.account().isEmpty()) {
            return refusal(Reason.LOGIN, "unknown user or wrong password");
        }
        return look.account().get().mayLink()
                ? Optional.empty()
                : refusal(Reason.LOGIN, "user " + user + " may not link brokers");
    }

    private static Optional<WitnessFrame.Refused> refusal(Reason reason, String text) {
        return Optional.of(new WitnessFrame.Refused(reason, text));
    }
}
