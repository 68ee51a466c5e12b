package io.longhaul.ptcp.artemis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.ptcp.PtcpSession;
import io.netty.buffer.ByteBuf;
import java.lang.reflect.Proxy;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class PtcpConnectionTest {
    private static final FrameGuard SERIAL = new FrameGuard() {
        @Override
        public int mostBytes() {
            return 1024;
        }

        @Override
        public boolean accepts(ByteBuf frame) {
            return true;
        }

        @Override
        public void trust() {}

        @Override
        public boolean isSerial() {
            return true;
        }
    };

    private static PtcpConnection connection(FrameGuard guard, List<Boolean> writable, boolean open) {
        Iterator<Boolean> answers = writable.iterator();
        PtcpSession session = (PtcpSession) Proxy.newProxyInstance(
                PtcpConnectionTest.class.getClassLoader(),
                new Class<?>[] {PtcpSession.class},
                (self, method, arguments) -> switch (method.getName()) {
                    case "isWritable" -> answers.hasNext() && answers.next();
                    case "isOpen" -> open;
                    default -> null;
                });
        return new PtcpConnection(session, Map.of(), guard, (ended, failed, cause) -> {});
    }

    @Test
    void shouldNotWaitWhenAskedWhetherItIsWritableNow() {
        // given
        PtcpConnection connection = connection(FrameGuard.bounded(1024), List.of(false, false, true), true);

        // when
        boolean writable = connection.blockUntilWritable(0, TimeUnit.MILLISECONDS);

        // then
        assertThat(writable).isFalse();
    }

    @Test
    void shouldWaitForAsLongAsItTakesWhenWrittenSerially() {
        // given
        PtcpConnection connection = connection(SERIAL, List.of(false, false, false, true, true), true);

        // when
        boolean writable = connection.blockUntilWritable(0, TimeUnit.MILLISECONDS);

        // then
        assertThat(writable).isTrue();
        assertThat(connection.isWritable(() -> {})).isTrue();
    }

    @Test
    void shouldTellWhoWritesSeriallyWhenItHasEnded() {
        // given
        PtcpConnection connection = connection(SERIAL, List.of(), false);

        // when, then
        assertThatThrownBy(() -> connection.blockUntilWritable(0, TimeUnit.MILLISECONDS))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has ended");
    }
}
