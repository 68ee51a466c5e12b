package io.longhaul.broker.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.ptcp.PtcpListener;
import io.longhaul.ptcp.PtcpSession;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class LinkSessionTest {
    private final List<String> calls = new ArrayList<>();
    private final AtomicReference<Runnable> timer = new AtomicReference<>();

    private PtcpSession wire() {
        List<String> called = calls;
        AtomicReference<Runnable> scheduled = timer;
        return (PtcpSession) Proxy.newProxyInstance(
                LinkSessionTest.class.getClassLoader(),
                new Class<?>[] {PtcpSession.class},
                (self, method, arguments) -> {
                    called.add(method.getName());
                    if (method.getName().equals("schedule")) {
                        scheduled.set((Runnable) arguments[0]);
                    }
                    return null;
                });
    }

    /** Knows the other broker at once, or never. */
    private record Handler(boolean knows) implements LinkHandler {
        @Override
        public void opened(LinkSession session) {
            if (knows) {
                session.trust();
            }
        }

        @Override
        public void received(LinkSession session, LinkFrame frame) {}

        @Override
        public void writable(LinkSession session) {}

        @Override
        public void ended(LinkSession session, String why) {}
    }

    @Test
    void shouldTellTheSessionWhenTheOtherBrokerIsKnown() {
        // given
        LinkSession.accepting(wire(), new Handler(true)).opened();

        // when
        timer.get().run();

        // then
        assertThat(calls).contains("trust").doesNotContain("abort");
    }

    @Test
    void shouldEndTheSessionWhenTheOtherBrokerIsNotKnownInTime() {
        // given
        LinkSession.accepting(wire(), new Handler(false)).opened();

        // when
        timer.get().run();

        // then
        assertThat(calls).contains("abort");
    }

    @Test
    void shouldNotBeHeldByItsTimerWhenTheSessionHasEnded() {
        // given
        PtcpSession session = wire();
        PtcpListener listener = LinkSession.accepting(session, new Handler(false));
        listener.opened();
        listener.closed(null);
        WeakReference<PtcpSession> ended = new WeakReference<>(session);

        // when
        session = null;
        listener = null;
        System.gc();

        // then
        assertThat(ended.get()).isNull();
        timer.get().run();
        assertThat(calls).doesNotContain("abort");
    }
}
