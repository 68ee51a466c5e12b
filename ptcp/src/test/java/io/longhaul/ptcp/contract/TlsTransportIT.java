package io.longhaul.ptcp.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.net.ClientTls;
import io.longhaul.ptcp.net.Patience;
import io.longhaul.ptcp.net.ServerTls;
import io.netty.buffer.Unpooled;
import io.netty.handler.ssl.SslContext;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract, asked of streams over TLS where both ends show certificates, and what stands between hears of it. */
class TlsTransportIT extends BehindRelayContract {
    private static final int STREAMS = 4;
    private static final String WORDS = "what nobody on the way may read. ";

    @TempDir
    private static Path directory;

    private static Certificates authority;

    private final Map<String, ByteArrayOutputStream> heard = new ConcurrentHashMap<>();
    private boolean encrypted = true;

    @BeforeAll
    static void certify() throws Exception {
        authority = Certificates.authority(directory, "authority")
                .sign("server", "IP:127.0.0.1")
                .sign("client", "DNS:client");
    }

    @Override
    PtcpConfig config() {
        return PtcpConfig.defaults().withStreams(STREAMS);
    }

    @Override
    Relay relay(int target) throws Exception {
        Relay relay = new Relay(target, 64 * 1024, 0);
        relay.setWiretap((line, there, bytes) -> heard.computeIfAbsent(
                        line + (there ? " there" : " back"), side -> new ByteArrayOutputStream())
                .writeBytes(bytes));
        return relay;
    }

    @Override
    Optional<SslContext> serverTls() {
        return encrypted
                ? Optional.of(ServerTls.ofFiles(
                        authority.certificate("server"), authority.key("server"), Optional.of(authority.ca())))
                : Optional.empty();
    }

    @Override
    Optional<ClientTls> clientTls() {
        return encrypted
                ? Optional.of(ClientTls.ofFiles(
                        authority.ca().toString(), authority.both("client").toString(), true))
                : Optional.empty();
    }

    private void converse() throws Exception {
        Ends ends = connect();
        Patience.await().until(() -> relay().lines().size() == STREAMS + 1);
        byte[] text = WORDS.repeat(8 * MIB / WORDS.length()).getBytes(StandardCharsets.US_ASCII);
        ends.opener().write(Unpooled.wrappedBuffer(text));
        ends.acceptor().write(Unpooled.wrappedBuffer(text));
        Patience.await()
                .until(() -> ends.acceptor().received().count() == text.length
                        && ends.opener().received().count() == text.length);
    }

    @Test
    void shouldShowNothingButTlsRecordsOnAnyConnection() throws Exception {
        // when
        converse();

        // then
        assertThat(heard).hasSize(2 * (STREAMS + 1));
        heard.forEach((side, bytes) -> {
            assertThat(bytes.toString(StandardCharsets.US_ASCII)).as(side).doesNotContain(WORDS, "PTCP");
            assertThat(strangeBytes(bytes.toByteArray()))
                    .as(side + ": bytes outside of TLS records")
                    .isZero();
        });
    }

    @Test
    void shouldShowTheWordsWithoutTls() throws Exception {
        // given
        encrypted = false;

        // when
        converse();

        // then
        assertThat(heard.values())
                .anySatisfy(bytes ->
                        assertThat(bytes.toString(StandardCharsets.US_ASCII)).contains(WORDS));
        assertThat(heard.values())
                .allSatisfy(
                        bytes -> assertThat(strangeBytes(bytes.toByteArray())).isPositive());
    }

    /** Returns how many bytes are left from the first that is not of a record (RFC 8446, section 5.1). */
    private static int strangeBytes(byte[] bytes) {
        int at = 0;
        while (at + 5 <= bytes.length) {
            int type = bytes[at];
            int length = (bytes[at + 3] & 0xff) << Byte.SIZE | bytes[at + 4] & 0xff;
            boolean record = type >= 20 && type <= 23 && bytes[at + 1] == 3 && length <= 16 * 1024 + 2048;
            if (!record) {
                return bytes.length - at;
            }
            at += 5 + length;
        }
        return 0;
    }
}
