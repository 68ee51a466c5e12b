package io.longhaul.gridftp.front;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections to data ports from the client's own address that are not the client's. */
final class StrangersIT extends OneClient {
    @Test
    void shouldDropStrangersWhenTheyComeToADataPort() {
        client.expect(200, "MODE E");
        InetSocketAddress address = client.passive();
        FtpClient.close(FtpClient.open(address));
        List<Socket> strangers = new ArrayList<>(List.of(FtpClient.open(address)));
        for (String word : List.of("GET", "HEAD", "DELETE", "LIST", "@", "\4")) {
            Socket garbage = FtpClient.open(address);
            FtpClient.write(garbage, text(word + " / HTTP/1.1\r\nHost: somewhere\r\n\r\n"));
            strangers.add(garbage);
        }
        Socket zeros = FtpClient.open(address);
        FtpClient.write(zeros, new byte[34]);
        FtpClient.close(zeros);
        Socket data = FtpClient.open(address);
        client.send("STOR f");
        FtpClient.write(data, FtpClient.block(0, 0, text("abc")));
        client.expectReply(150);
        FtpClient.write(data, FtpClient.endOfFile(1));

        assertThat(client.last()).startsWith("226");
        assertThat(front.bytes("f")).isEqualTo(text("abc"));
        strangers.forEach(stranger -> FtpClient.close(stranger));
        FtpClient.close(data);
    }

    @Test
    void shouldTakeTheClientsConnectionWhenAScannerComesFirst() {
        InetSocketAddress address = client.passive();
        FtpClient.close(FtpClient.open(address));
        Socket data = FtpClient.open(address);
        client.send("STOR f");
        FtpClient.write(data, text("abc"));
        FtpClient.close(data);

        assertThat(client.last()).startsWith("226");
        assertThat(front.bytes("f")).isEqualTo(text("abc"));
    }

    /** The largest lengths that eight bytes tell, of which some are negative numbers elsewhere. */
    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, Long.MAX_VALUE, (1L << 40) + 1})
    void shouldDropAConnectionThatBeginsWithABlockOfNoPossibleLength(long count) {
        // given
        client.expect(200, "MODE E");
        InetSocketAddress address = client.passive();
        Socket stranger = FtpClient.open(address);
        Socket data = FtpClient.open(address);

        // when
        client.send("STOR f");
        FtpClient.write(stranger, header(count), text("abc"));
        FtpClient.write(data, FtpClient.block(0, 0, text("abc")), FtpClient.endOfFile(1));

        // then
        assertThat(client.last()).startsWith("226");
        assertThat(front.bytes("f")).isEqualTo(text("abc"));
        FtpClient.close(stranger);
        FtpClient.close(data);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, Long.MAX_VALUE, (1L << 40) + 1})
    void shouldRefuseAtOnceWhenALaterBlockHasNoPossibleLength(long count) {
        // given
        client.expect(200, "MODE E");
        Socket data = FtpClient.open(client.passive());

        // when
        client.send("STOR f");
        FtpClient.write(data, FtpClient.block(0, 0, text("abc")), header(count), text("def"));

        // then
        assertThat(client.last())
                .startsWith("426 ")
                .contains("expected at most " + (1L << 40) + " bytes, found " + Long.toUnsignedString(count));
        assertThat(front.everything()).isEmpty();
        FtpClient.close(data);
    }

    private static byte[] header(long count) {
        return ByteBuffer.allocate(17).put((byte) 0).putLong(count).putLong(3).array();
    }
}
