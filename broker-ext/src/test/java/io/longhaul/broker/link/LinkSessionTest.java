package io.longhaul.broker.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.ptcp.PtcpSession;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LinkSessionTest {
    private final List<String> calls = new ArrayList<>();
    private final PtcpSession wire = (PtcpSession) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {PtcpSession.class}, (self, method, arguments) -> {
                calls.add(method.getName());
                return null;
            });

    @Test
    void shouldTellTheSessionWhenTheOtherBrokerIsKnown() {
        // given
        LinkSession.accepting(wire, new LinkHandler() {
                    @Override
                    public void opened(LinkSession session) {
                        session.trust();
                    }

                    @Override
                    public void received(LinkSession session, LinkFrame frame) {}

                    @Override
                    public void writable(LinkSession session) {}

                    @Override
                    public void ended(LinkSession session, String why) {}
                })
                .opened();

        // then
        assertThat(calls).contains("trust");
    }
}
