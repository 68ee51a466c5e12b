package io.longhaul.broker.artemis;

import io.longhaul.broker.link.LinkCodec;
import io.longhaul.broker.link.LinkFrame;
import io.longhaul.broker.users.Account;
import io.longhaul.broker.users.LoginDesk;
import io.longhaul.broker.users.Logins;
import io.longhaul.broker.users.RemoteHost;
import io.longhaul.broker.witness.WitnessDoor;
import io.longhaul.broker.witness.WitnessFrame;
import io.longhaul.broker.witness.WitnessFrame.Reason;
import io.longhaul.wire.Names;
import io.longhaul.wire.WireException;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Says whether another broker may link to this one, and what it may do then; or ask it as a witness. Thread-safe; the question
 * of a witness may take a while.
 */
final class LinkDoor implements WitnessDoor.Rights {
    private final String self;
    private final Optional<LoginDesk> desk;

    LinkDoor(String self, Optional<LoginDesk> desk) {
        this.self = self;
        this.desk = desk;
    }

    /** What becomes of a greeting. */
    record Verdict(Optional<LinkFrame.Refused> refusal, LinkRights rights) {}

    private static Verdict refused(LinkFrame.Reason reason, String text) {
        return new Verdict(Optional.of(new LinkFrame.Refused(reason, text)), LinkRights.all());
    }

    /** Somebody at the door. */
    interface Visitor {
        /** Returns whether an answer is still wanted. */
        boolean isWaiting();

        /** Takes what becomes of the greeting, on the thread that asked or another; must not block. */
        void answer(Verdict verdict);
    }

    /** Looks at a greeting from an address and tells the visitor, unless that one has gone by then; does not block. */
    void look(LinkFrame.Hello hello, String from, Visitor visitor) {
        Optional<Verdict> fault = fault(hello);
        if (fault.isPresent()) {
            visitor.answer(fault.get());
            return;
        }
        // before the password is looked at: a change in between is one of these rights
        LinkRights rights = rights(hello.user());
        if (desk.isEmpty()) {
            visitor.answer(new Verdict(Optional.empty(), rights));
            return;
        }
        LoginDesk.Login login = new LoginDesk.Login(hello.user(), hello.password(), RemoteHost.of(from));
        desk.get().take(login, new LoginDesk.Caller() {
            @Override
            public boolean isWaiting() {
                return visitor.isWaiting();
            }

            @Override
            public void answer(Logins.Look look) {
                visitor.answer(refusal(hello.user(), look)
                        .map(why -> refused(reason(why), why.text()))
                        .orElseGet(() -> new Verdict(Optional.empty(), rights)));
            }
        });
    }

    private static LinkFrame.Reason reason(WitnessFrame.Refused why) {
        return why.reason() == Reason.LATER ? LinkFrame.Reason.LATER : LinkFrame.Reason.LOGIN;
    }

    private Optional<Verdict> fault(LinkFrame.Hello hello) {
        if (hello.version() != LinkCodec.VERSION) {
            return Optional.of(refused(
                    LinkFrame.Reason.VERSION,
                    "broker " + self + " speaks version " + LinkCodec.VERSION + " of the link protocol, found "
                            + hello.version()));
        }
        try {
            Names.broker(hello.broker());
        } catch (WireException e) {
            return Optional.of(refused(LinkFrame.Reason.PROTOCOL, String.valueOf(e.getMessage())));
        }
        return hello.broker().equals(self)
                ? Optional.of(refused(LinkFrame.Reason.SAME_NAME, "both brokers have the name " + self))
                : Optional.empty();
    }

    private LinkRights rights(String user) {
        return desk.map(LoginDesk::logins)
                .map(known -> LinkRights.of(user, known::account))
                .orElseGet(LinkRights::all);
    }

    @Override
    public BooleanSupplier unchanged(String user) {
        LinkRights now = rights(user);
        return () -> !now.haveChanged();
    }

    /** Returns whether there is an account of this name that may link. */
    boolean isLinking(String user) {
        return desk.flatMap(known -> known.logins().account(user))
                .filter(Account::mayLink)
                .isPresent();
    }

    /** Returns why somebody is no broker that may come in; empty for who is. */
    @Override
    public Optional<WitnessFrame.Refused> objection(String user, String password, String from) {
        return desk.flatMap(known -> refusal(user, known.logins().look(user, password, RemoteHost.of(from))));
    }

    private static Optional<WitnessFrame.Refused> refusal(String user, Logins.Look look) {
        if (look.unheard().isPresent()) {
            return refusal(Reason.LATER, look.unheard().get());
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
