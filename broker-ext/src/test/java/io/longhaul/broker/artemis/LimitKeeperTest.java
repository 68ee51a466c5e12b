package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.broker.limits.Limit;
import io.longhaul.broker.limits.Quotas;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.FrameType;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.Executor;
import org.apache.activemq.artemis.core.io.IOCallback;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.postoffice.RoutingStatus;
import org.apache.activemq.artemis.core.server.ServerSession;
import org.junit.jupiter.api.Test;

class LimitKeeperTest {
    private final HeldAnswers answers = new HeldAnswers(() -> 0, (delayNs, task) -> {});
    private final Quotas quotas =
            new Quotas(user -> new Quotas.User(new Limit(1, 0, 0, 0), topic -> true), List.of(), topics -> 0, () -> 0);
    private final LimitKeeper keeper = new LimitKeeper(null, quotas, answers);
    private boolean closed;

    private final Executor executor = Runnable::run;
    private final ServerSession session = (ServerSession) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {ServerSession.class}, (self, method, arguments) -> {
                return switch (method.getName()) {
                    case "isClosed" -> closed;
                    case "getValidatedUser" -> "user";
                    case "getSessionExecutor" -> executor;
                    case "hashCode" -> 1;
                    case "equals" -> self == arguments[0];
                    default -> null;
                };
            });

    private static final IOCallback ANSWER = new IOCallback() {
        @Override
        public void done() {}

        @Override
        public void onError(int code, String text) {}
    };

    private void send(FrameType type) throws Exception {
        CoreMessage message = new CoreMessage(1, 100);
        message.setAddress("lh.topic.t");
        message.putStringProperty(FrameCodec.TYPE, type.wireName());
        message.putStringProperty(FrameCodec.TRANSFER, "transfer");
        keeper.beforeSend(session, null, message, false, false);
        keeper.afterSend(session, null, message, false, false, RoutingStatus.OK);
    }

    /** Answers of one session stay in order: while some are kept, that to a frame without a limit waits for them. */
    private boolean isHeld(FrameType type) throws Exception {
        send(type);
        return answers.gated(ANSWER) != ANSWER;
    }

    @Test
    void shouldKeepAnswersBackUntilTheSessionEnds() throws Exception {
        // when then
        assertThat(isHeld(FrameType.SEAL)).as("before any piece").isFalse();
        assertThat(isHeld(FrameType.PIECE)).isTrue();
        assertThat(isHeld(FrameType.SEAL)).as("behind a piece").isTrue();
        keeper.afterCloseSession(session, true);
        assertThat(isHeld(FrameType.SEAL)).as("after the end").isFalse();
    }

    /** A connection may be lost, and its session be closed, while one of its frames is dealt with. */
    @Test
    void shouldKeepNothingWhenTheSessionIsClosedAlready() throws Exception {
        // given
        closed = true;
        keeper.afterCloseSession(session, true);

        // when
        send(FrameType.PIECE);

        // then
        assertThat(isHeld(FrameType.SEAL)).isFalse();
    }
}
