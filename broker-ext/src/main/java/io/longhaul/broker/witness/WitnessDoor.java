package io.longhaul.broker.witness;

import io.longhaul.broker.witness.WitnessFrame.Answer;
import io.longhaul.broker.witness.WitnessFrame.Ask;
import io.longhaul.broker.witness.WitnessFrame.Hello;
import io.longhaul.broker.witness.WitnessFrame.Outcome;
import io.longhaul.broker.witness.WitnessFrame.Reason;
import io.longhaul.broker.witness.WitnessFrame.Refused;
import io.longhaul.broker.witness.WitnessFrame.Welcome;
import io.longhaul.ptcp.PtcpListener;
import io.longhaul.ptcp.PtcpSession;
import io.longhaul.ptcp.artemis.TimeLimit;
import io.longhaul.wire.Names;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets brokers of pairs in, who want to ask. Thread-safe. */
public final class WitnessDoor {
    private static final Logger LOG = LoggerFactory.getLogger(WitnessDoor.class);
    private static final Duration TIME_TO_GREET = Duration.ofSeconds(10);
    private static final Duration TIME_TO_END = Duration.ofMillis(500);
    private static final int MOST_WAITING = 100;

    private final WitnessDesk desk;
    private final Rights rights;
    private final Executor thread;
    private final Executor checks;
    private final BiConsumer<String, String> log;

    /** Says who may ask. May take a while. */
    public interface Rights {
        /**
         * Returns why somebody may not; empty for who may.
         *
         * @param from the address that they come from, as its socket writes it
         */
        Optional<Refused> objection(String user, String password, String from);

        /** Returns what says whether an account is still as it is now. */
        BooleanSupplier unchanged(String user);
    }

    /**
     * Takes two threads: that of the desk answers signs of life, which must not wait while passwords are checked.
     *
     * @param thread where the desk is asked
     * @param checks where passwords are checked
     * @param log takes the kind of a warning, and the warning
     */
    public WitnessDoor(
            WitnessDesk desk, Rights rights, Executor thread, Executor checks, BiConsumer<String, String> log) {
        this.desk = desk;
        this.rights = rights;
        this.thread = thread;
        this.checks = checks;
        this.log = log;
    }

    /** Returns the listener of a session whose stream begins with {@link WitnessCodec#MAGIC}. */
    public PtcpListener accept(PtcpSession session) {
        return new Visit(session);
    }

    /** An asker who has logged in. */
    private record Known(WitnessDesk.Asker asker, BooleanSupplier unchanged) {}

    private final class Visit extends WitnessListener {
        private final AtomicInteger waiting = new AtomicInteger();
        private final TimeLimit greeting = new TimeLimit();
        private volatile @Nullable Known known;
        private boolean greeted; // event loop only

        Visit(PtcpSession session) {
            super(session, false);
        }

        @Override
        public void opened() {
            greeting.start(session(), TIME_TO_GREET, "no greeting in " + TIME_TO_GREET.toSeconds() + " s");
        }

        @Override
        void received(WitnessFrame frame) {
            Known asker = known;
            if (frame instanceof Hello hello && !greeted) {
                greeted = true;
                execute(checks, () -> greet(hello));
            } else if (frame instanceof Ask ask && asker != null) {
                answer(ask, asker);
            } else {
                session().abort("a frame that does not belong here");
            }
        }

        private void answer(Ask ask, Known asker) {
            if (!asker.unchanged().getAsBoolean()) {
                // the next session logs in with what is right now
                session().abort("the rights of its account have changed");
                return;
            }
            execute(thread, () -> {
                Answer answer = desk.answer(ask, asker.asker());
                if (answer.outcome() == Outcome.OTHER_ACCOUNT) {
                    log.accept(
                            "witness-account",
                            "witness: " + session().remoteAddress() + " asks with account "
                                    + Names.shown(asker.asker().account()) + " for pair " + Names.shown(ask.pair())
                                    + ", which is another account's");
                }
                send(answer);
            });
        }

        private void execute(Executor on, Runnable task) {
            if (waiting.incrementAndGet() > MOST_WAITING) {
                session().abort("more than " + MOST_WAITING + " frames wait");
                return;
            }
            try {
                on.execute(() -> {
                    waiting.decrementAndGet();
                    task.run();
                });
            } catch (RejectedExecutionException e) {
                session().abort("the broker is closing");
            }
        }

        private void greet(Hello hello) {
            if (hello.version() != WitnessCodec.VERSION) {
                refuse(new Refused(
                        Reason.VERSION,
                        "the witness speaks version " + WitnessCodec.VERSION + " of its protocol, found "
                                + hello.version()));
                return;
            }
            // before the password is looked at: a change in between is noticed
            BooleanSupplier unchanged = rights.unchanged(hello.user());
            Optional<Refused> objection = rights.objection(
                    hello.user(), hello.password(), String.valueOf(session().remoteAddress()));
            if (objection.isPresent()) {
                log.accept(
                        "witness",
                        "witness: " + session().remoteAddress() + " refused: "
                                + objection.get().text());
                refuse(objection.get());
                return;
            }
            known = new Known(new WitnessDesk.Asker(this, hello.user()), unchanged);
            greeting.end();
            session().trust();
            send(new Welcome(WitnessCodec.VERSION));
        }

        private void refuse(Refused refusal) {
            send(refusal);
            session().close();
            session().schedule(() -> session().abort("closed"), TIME_TO_END);
        }

        @Override
        void ended(String why) {
            greeting.end();
            try {
                thread.execute(() -> desk.left(this));
            } catch (RejectedExecutionException e) {
                LOG.debug("witness: closing: {}", why);
            }
        }
    }
}
