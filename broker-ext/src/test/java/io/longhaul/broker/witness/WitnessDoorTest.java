package io.longhaul.broker.witness;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.broker.witness.WitnessFrame.Answer;
import io.longhaul.broker.witness.WitnessFrame.Ask;
import io.longhaul.broker.witness.WitnessFrame.Hello;
import io.longhaul.broker.witness.WitnessFrame.Operation;
import io.longhaul.broker.witness.WitnessFrame.Outcome;
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
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WitnessDoorTest {
    @TempDir
    private Path data;

    private final Queue<Runnable> checks = new ArrayDeque<>();
    private final List<String> kinds = new ArrayList<>();
    private WitnessDoor door;

    @BeforeEach
    void open() throws IOException {
        WitnessDesk desk = new WitnessDesk(WitnessBook.open(data), () -> 0);
        WitnessDoor.Rights rights =
                (user, password, host) -> user.equals("known") ? Optional.empty() : Optional.of("unknown");
        door = new WitnessDoor(desk, rights, Runnable::run, checks::add, (kind, line) -> kinds.add(kind));
    }

    /** One who asks, over a session whose other end is a list. */
    private final class Asker {
        final List<WitnessFrame> heard = new ArrayList<>();
        private final PtcpListener listener;

        Asker(String user) {
            PtcpSession session = (PtcpSession) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {PtcpSession.class}, (self, method, arguments) -> {
                        if (method.getName().equals("write")) {
                            heard.add(WitnessCodec.decode(((ByteBuf) arguments[0]).skipBytes(Integer.BYTES)));
                        }
                        return null;
                    });
            listener = door.accept(session);
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
}
