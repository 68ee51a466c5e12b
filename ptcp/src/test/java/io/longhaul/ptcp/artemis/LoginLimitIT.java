package io.longhaul.ptcp.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.ptcp.net.Patience;
import io.netty.buffer.ByteBuf;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Connections on which nobody logs in. */
@Timeout(240)
final class LoginLimitIT {
    private static FrameGuard guard(boolean trusted) {
        return new FrameGuard() {
            @Override
            public int mostBytes() {
                return 1 << 20;
            }

            @Override
            public boolean accepts(ByteBuf frame) {
                return true;
            }

            @Override
            public void trust() {}

            @Override
            public boolean isTrusted() {
                return trusted;
            }

            @Override
            public Optional<Duration> loginLimit() {
                return Optional.of(Duration.ofSeconds(3));
            }
        };
    }

    private static int connections(EmbeddedBroker broker) {
        return broker.server().getRemotingService().getConnections().size();
    }

    @Test
    void shouldEndTheConnectionWhenItsUserStaysUnknown(@TempDir Path data) throws Exception {
        // given
        AtomicInteger made = new AtomicInteger();
        try (EmbeddedBroker broker = EmbeddedBroker.of(data)
                        .guardedBy(() -> guard(made.getAndIncrement() == 0))
                        .start();
                CoreClient known = CoreClient.once(broker.port())) {
            Patience.await().until(() -> connections(broker) == 1);

            // when
            CoreClient unknown = CoreClient.once(broker.port());

            // then
            Patience.await().until(() -> made.get() > 1 && connections(broker) == 1);
            assertThat(known.isConnected()).isTrue();
            unknown.close();
        }
    }
}
