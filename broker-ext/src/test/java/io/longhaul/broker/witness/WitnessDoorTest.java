package io.longhaul.broker.witness;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.broker.witness.WitnessFrame.Answer;
import io.longhaul.broker.witness.WitnessFrame.Ask;
import io.longhaul.broker.witness.WitnessFrame.Hello;
import io.longhaul.broker.witness.WitnessFrame.Operation;
import io.longhaul.broker.witness.WitnessFrame.Outcome;
import io.longhaul.broker.witness.WitnessFrame.Reason;
import io.longhaul.broker.witness.WitnessFrame.Refused;
import io.longhaul.broker.witness.WitnessFrame.Welcome;
import io.longhaul.ptcp.PtcpListener;
import io.longhaul.ptcp.PtcpSession;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WitnessDoorTest {
    @TempDir
    private Path data;

    private final Queue<Runnable> checks = new ArrayDeque<>();
    private final List<String> kinds = new ArrayList<>();
    private final Set<String> changed = new HashSet<>();
    private WitnessDoor door;

    @BeforeEach
    void open() throws IOException {
        WitnessDesk desk = new WitnessDesk(WitnessBook.open(data), user -> true, () -> 0);
        WitnessDoor.Rights rights = new WitnessDoor.Rights() {
            @Override
            public Optional<Refused> objection(String user, String password, String from) {
                return user.startsWith("known") ? Optional.empty() : Optional.of(new Refused(Reason.LOGIN, "unknown"));
            }

            @Override
            public BooleanSupplier unchanged(String user) {
                return () -> !changed.contains(user);
            }
        };
        door = new WitnessDoor(desk, rights, Runnable::run, checks::add, (kind, line) -> kinds.add(kind));
    }

    /** One who asks, over a session whose other end is a list. */
    private final class Asker {
        final List<WitnessFrame> heard = new ArrayList<>();
        final List<String> aborts = new ArrayList<>();
        private final List<Runnable> timers = new ArrayList<>();
        private final PtcpListener listener;

        Asker(String user) {
            PtcpSession session = (PtcpSession) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {PtcpSession.class}, (self, method, arguments) -> {
                        if (method.getName().equals("write")) {
                            heard.add(WitnessCodec.decode(((ByteBuf) arguments[0]).skipBytes(Integer.BYTES)));
                        }
                        if (method.getName().equals("abort")) {
                            aborts.add(String.valueOf(arguments[0]));
                        }
                        if (method.getName().equals("schedule")) {
                            timers.add((Runnable) arguments[0]);
                        }
                        return null;
                    });
            listener = door.accept(session);
            listener.opened();
            listener.received(Unpooled.copyInt(WitnessCodec.MAGIC));
            say(new Hello(WitnessCodec.VERSION, user, "secret"));
        }

        void say(WitnessFrame frame) {
            listener.received(WitnessCodec.encode(frame));
        }
    }

    @Test
    void shouldAnswerSignsOfLifeWhileAPasswordIsChecked() {
        // given
        Asker known = new Asker("known");
        checks.remove().run();
        new Asker("slow");

        // when
        known.say(new Ask(1, Operation.CLAIM, "pair", "node", 0, 0));

        // then
        assertThat(checks).hasSize(1);
        assertThat(known.heard).containsExactly(new Welcome(WitnessCodec.VERSION), new Answer(1, Outcome.DONE, 0));
    }

    @Test
    void shouldEndOnlyTheSessionOfWhoHasNotLoggedInInTime() {
        // given
        Asker known = new Asker("known");
        checks.remove().run();
        Asker slow = new Asker("slow");
        Asker gone = new Asker("gone");
        gone.listener.closed(null);

        // when
        known.timers.get(0).run();
        slow.timers.get(0).run();
        gone.timers.get(0).run();

        // then
        assertThat(slow.aborts).containsExactly("no greeting in 10 s");
        assertThat(known.aborts).isEmpty();
        assertThat(gone.aborts).isEmpty();
    }

    /** Whoever logs may say one line for each kind in a while. */
    @Test
    void shouldSayOfWhatKindARefusalIs() {
        // given
        Asker stranger = new Asker("stranger");

        // when
        checks.remove().run();

        // then
        assertThat(stranger.heard).singleElement().isInstanceOf(Refused.class);
        assertThat(kinds).containsExactly("witness");
    }

    @Test
    void shouldSayAtTheWitnessWhoAsksForAPairOfAnotherAccount() {
        // given
        Asker first = new Asker("known");
        Asker other = new Asker("known-too");
        checks.remove().run();
        checks.remove().run();
        first.say(new Ask(1, Operation.CLAIM, "pair", "node", 0, 0));
        first.say(new Ask(2, Operation.SET, "pair", "node", 0, 1));

        // when
        other.say(new Ask(3, Operation.CLAIM, "pair", "node", 0, 0));

        // then
        assertThat(other.heard).last().isEqualTo(new Answer(3, Outcome.OTHER_ACCOUNT, 0));
        assertThat(kinds).containsExactly("witness-account");
    }

    @Test
    void shouldAnswerNobodyWhoseAccountHasChanged() {
        // given
        Asker known = new Asker("known");
        checks.remove().run();

        // when
        changed.add("known");
        known.say(new Ask(1, Operation.CLAIM, "pair", "node", 0, 0));

        // then
        assertThat(known.heard).containsExactly(new Welcome(WitnessCodec.VERSION));
        assertThat(known.aborts).singleElement().asString().contains("account");
    }
}
