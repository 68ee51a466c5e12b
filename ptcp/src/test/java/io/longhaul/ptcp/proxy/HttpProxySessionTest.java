package io.longhaul.ptcp.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class HttpProxySessionTest {
    private final Queue<Runnable> lookups = new ArrayDeque<>();
    private final HttpProxySession session =
            HttpProxySession.of(new HttpProxy("127.0.0.1", 3128, "", ""), lookups::add);

    @Test
    void shouldLookTheNameUpOnceWhenManyChannelsWaitForIt() {
        // when
        CompletableFuture<InetSocketAddress> first = session.address();
        CompletableFuture<InetSocketAddress> second = session.address();

        // then
        assertThat(lookups).hasSize(1);
        lookups.remove().run();
        assertThat(first).isCompletedWithValue(new InetSocketAddress("127.0.0.1", 3128));
        assertThat(second).isCompleted();
    }

    @Test
    void shouldLookTheNameUpAgainWhenTheLastLookUpIsDone() {
        // given
        session.address();
        lookups.remove().run();

        // when
        session.address();

        // then
        assertThat(lookups).hasSize(1);
    }
}
