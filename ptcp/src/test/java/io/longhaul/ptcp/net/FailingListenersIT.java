package io.longhaul.ptcp.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpListener;
import io.longhaul.ptcp.PtcpSession;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions whose listener throws, whatever it is told, or cannot be made. */
final class FailingListenersIT {
    private static final int MIB = 1024 * 1024;
    private static final int SECONDS = 10;

    /** Fails in one call, and tells why it was closed. */
    private record Failing(String where, PtcpSession session, CompletableFuture<PtcpException> closed)
            implements PtcpListener {
        private void tell(String what) {
            if (what.equals(where)) {
                throw new IllegalStateException("cannot bear " + what);
            }
            if (where.equals("memory in " + what)) {
                throw new OutOfMemoryError("cannot bear " + where);
            }
        }

        @Override
        public void opened() {
            tell("opened");
            for (int i = 0; i < 100; i++) {
                session.write(Unpooled.wrappedBuffer(new byte[MIB]));
            }
        }

        @Override
        public void received(ByteBuf bytes) {
            tell("received");
        }

        @Override
        public void batchEnded() {
            tell("batchEnded");
        }

        @Override
        public void writabilityChanged(boolean writable) {
            tell("writabilityChanged");
        }

        @Override
        public void closed(@Nullable PtcpException cause) {
            closed.complete(cause);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "opened",
                "received",
                "batchEnded",
                "writabilityChanged",
                "memory in opened",
                "memory in received"
            })
    void shouldEndTheSessionAtBothEndsWhenAListenerFails(String where) throws Exception {
        // given
        CompletableFuture<PtcpException> here = new CompletableFuture<>();
        CompletableFuture<PtcpException> there = new CompletableFuture<>();
        PtcpServer.Settings settings = new PtcpServer.Settings(
                "test-server", new InetSocketAddress("127.0.0.1", 0), Optional.empty(), 2, 100, (kind, story) -> {});
        try (PtcpServer server = PtcpServer.launch(
                        settings, PtcpConfig.defaults(), session -> new Failing(where, session, here));
                PtcpClient client = PtcpClient.launch("test-client", 1)) {
            // when
            client.open(
                            PtcpClient.Target.plain("127.0.0.1", server.port()),
                            PtcpConfig.defaults().withStreams(1),
                            session -> new Failing("nowhere", session, there))
                    .thenAccept(session -> session.write(Unpooled.wrappedBuffer(new byte[MIB])));

            // then
            assertThat(here.get(SECONDS, TimeUnit.SECONDS))
                    .hasMessageContaining("cannot bear " + where)
                    .isInstanceOfSatisfying(
                            PtcpException.class, e -> assertThat(e.code()).isEqualTo(PtcpException.Code.ABORTED));
            // why may be lost with what was on its way
            assertThat(there.get(SECONDS, TimeUnit.SECONDS)).isInstanceOf(PtcpException.class);
        }
    }

    private static PtcpListener none(boolean memory) {
        if (memory) {
            throw new OutOfMemoryError("no listener");
        }
        throw new IllegalStateException("no listener");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldOpenNothingWhenTheOpenerHasNoListener(boolean memory) throws Exception {
        // given
        CompletableFuture<PtcpException> there = new CompletableFuture<>();
        PtcpServer.Settings settings = new PtcpServer.Settings(
                "test-server", new InetSocketAddress("127.0.0.1", 0), Optional.empty(), 2, 100, (kind, story) -> {});
        try (PtcpServer server = PtcpServer.launch(
                        settings, PtcpConfig.defaults(), session -> new Failing("nowhere", session, there));
                PtcpClient client = PtcpClient.launch("test-client", 1)) {
            // when
            CompletableFuture<PtcpSession> opened = client.open(
                    PtcpClient.Target.plain("127.0.0.1", server.port()),
                    PtcpConfig.defaults(),
                    session -> none(memory));

            // then
            assertThatThrownBy(() -> opened.get(SECONDS, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOf(PtcpException.class)
                    .hasMessage("this end failed: no listener");
            assertThat(there.get(SECONDS, TimeUnit.SECONDS)).hasMessageContaining("connection lost");
        }
    }
}
