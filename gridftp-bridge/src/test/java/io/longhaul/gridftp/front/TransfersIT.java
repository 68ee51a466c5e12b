package io.longhaul.gridftp.front;

import static io.longhaul.gridftp.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.protocol.DataAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Transfers as clients do them, and as they go wrong. */
final class TransfersIT extends OneClient {
    /** Begins to store f in MODE E, over one connection. */
    private Socket storeBlocks() {
        client.expect(200, "MODE E");
        Socket data = FtpClient.open(client.passive());
        client.send("STOR f");
        return data;
    }

    @Test
    void shouldStoreAndReturnTheSameBytesWhenModeIsStream() {
        byte[] bytes = new byte[3_000_001];
        new Random(1).nextBytes(bytes);

        assertThat(put("STOR f", bytes)).isEqualTo("226 Transfer Complete.");

        assertThat(front.bytes("f")).isEqualTo(bytes);
        assertThat(get("RETR f")).isEqualTo(bytes);
    }

    @Test
    void shouldStoreAnEmptyFileWhenNothingIsSent() {
        assertThat(put("STOR f")).startsWith("226");
        assertThat(front.bytes("f")).isEmpty();
    }

    @Test
    void shouldTellTheNameWhenAFileIsStoredUnderOneOfItsOwn() {
        List<String> names = new ArrayList<>();
        for (String command : List.of("STOU f", "STOU f", "STOU")) {
            Socket data = FtpClient.open(client.passive());
            client.send(command);
            String told = client.expectReply(150);
            FtpClient.write(data, text(command));
            FtpClient.close(data);
            client.expectReply(226);

            assertThat(told).startsWith("150 FILE: ");
            names.add(told.substring("150 FILE: ".length()));
            assertThat(front.bytes(names.get(names.size() - 1))).isEqualTo(text(command));
        }

        assertThat(names).doesNotHaveDuplicates();
        assertThat(names.get(0)).startsWith("f.");
        assertThat(front.everything()).hasSize(3);
    }

    @Test
    void shouldHonourTheTypeWhenItIsSetAfterTheAddress() {
        client.expect(200, "TYPE A");
        InetSocketAddress address = client.passive();
        client.expect(200, "TYPE I");
        Socket data = FtpClient.open(address);
        client.send("STOR f");
        FtpClient.write(data, text("a\r\nb\n"));
        FtpClient.close(data);

        assertThat(client.last()).startsWith("226");
        assertThat(front.bytes("f")).isEqualTo(text("a\r\nb\n"));
    }

    @Test
    void shouldConvertLineEndsWhenTheTypeIsText() {
        client.expect(200, "TYPE A");

        assertThat(put("STOR f", text("a\r"), text("\nb\r\n"))).startsWith("226");

        assertThat(front.bytes("f")).isEqualTo(text("a\nb\n"));
        assertThat(get("RETR f")).isEqualTo(text("a\r\nb\r\n"));
        client.expect(350, "REST 1");
        client.passive();
        client.expect(504, "RETR f");
    }

    @Test
    void shouldResumeAndAppendWhenAClientAsksForIt() {
        front.put("f", text("0123456789"));

        client.expect(350, "REST 3");
        assertThat(put("STOR f", text("abc"))).startsWith("226");
        assertThat(front.bytes("f")).isEqualTo(text("012abc6789"));
        assertThat(put("APPE f", text("!"))).startsWith("226");
        assertThat(put("ESTO A 1 f", text("X"))).startsWith("226");
        client.expect(350, "REST 8");
        assertThat(get("RETR f")).isEqualTo(text("89!"));
        assertThat(get("ERET P 1 3 f")).isEqualTo(text("X2a"));
        assertThat(get("ERET P 9 9223372036854775807 f")).isEqualTo(text("9!"));
        client.expect(350, "REST 100");
        client.passive();
        assertThat(client.command("STOR f")).startsWith("554");
    }

    @Test
    void shouldCompleteWhenBlocksComeInAnyOrderOverSeveralConnections() {
        client.expect(200, "MODE E");
        InetSocketAddress address = client.passive();
        Socket one = FtpClient.open(address);
        Socket other = FtpClient.open(address);
        List<String> markers = new ArrayList<>();
        client.send("STOR f");
        FtpClient.write(other, FtpClient.block(0, 3, text("def")), FtpClient.endOfData());
        FtpClient.write(one, FtpClient.block(0, 0, text("abc")), FtpClient.endOfFile(2));

        assertThat(client.last(markers)).startsWith("226");
        assertThat(front.bytes("f")).isEqualTo(text("abcdef"));
        assertThat(markers).anyMatch(marker -> marker.contains("Stripe Bytes Transferred: 6"));
        assertThat(markers).contains("111 Range Marker 0-6");

        // and the connections serve the next file without a new address
        client.send("STOR g");
        FtpClient.write(one, FtpClient.block(0x08, 0, text("second")));
        FtpClient.write(other, FtpClient.endOfFile(2));
        assertThat(client.reply()).startsWith("125");
        assertThat(client.last()).startsWith("226");
        assertThat(front.bytes("g")).isEqualTo(text("second"));
        FtpClient.close(one);
        FtpClient.close(other);
    }

    @Test
    void shouldAskForAnAddressWhenTheConnectionsAreOfAnotherMode() {
        Socket data = storeBlocks();
        FtpClient.write(data, FtpClient.block(0, 0, text("one")), FtpClient.endOfFile(1));
        assertThat(client.last()).startsWith("226");

        client.expect(200, "MODE S");

        client.expect(425, "STOR g");
        assertThat(put("STOR g", text("two"))).startsWith("226");
        assertThat(front.bytes("g")).isEqualTo(text("two"));
        FtpClient.close(data);
    }

    @Test
    void shouldStoreWhenTheNextFilesBytesComeBeforeItsCommand() {
        Socket data = storeBlocks();
        FtpClient.write(data, FtpClient.block(0, 0, text("one")), FtpClient.endOfFile(1));
        FtpClient.write(data, FtpClient.block(0, 0, text("two")), FtpClient.endOfFile(1));
        assertThat(client.last()).startsWith("226");

        client.send("STOR g");

        assertThat(client.last()).startsWith("226");
        assertThat(front.bytes("f")).isEqualTo(text("one"));
        assertThat(front.bytes("g")).isEqualTo(text("two"));
        FtpClient.close(data);
    }

    @Test
    void shouldNotBeCompleteWhenThereIsAHole() {
        Socket data = storeBlocks();
        FtpClient.write(data, FtpClient.block(0, 5000, text("abc")), FtpClient.endOfFile(1));

        assertThat(client.last()).isEqualTo("451 Transfer incomplete: bytes 0-5000 are missing.");
        assertThat(front.everything()).isEmpty();
        FtpClient.close(data);
    }

    @Test
    void shouldFailWhenAConnectionEndsWithoutItsEod() {
        Socket data = storeBlocks();
        FtpClient.write(data, FtpClient.block(0, 0, text("abc")));
        FtpClient.close(data);

        assertThat(client.last()).startsWith("426 Data connection broken");
        assertThat(front.everything()).isEmpty();
        client.expect(200, "NOOP");
    }

    @Test
    void shouldRefuseWhenAnOffsetIsBeyondAnyFile() {
        Socket data = storeBlocks();
        FtpClient.write(data, FtpClient.block(0, -2, text("abc")));

        assertThat(client.last()).startsWith("426 extended block: offset 18446744073709551614");
        FtpClient.close(data);
    }

    @Test
    void shouldConnectAsOftenAsAskedWhenAFileIsSentInModeE() throws Exception {
        byte[] bytes = new byte[1_000_000];
        new Random(2).nextBytes(bytes);
        front.put("f", bytes);
        client.expect(200, "MODE E");
        client.expect(200, "OPTS RETR Parallelism=3,3,3;");
        try (ServerSocket server = client.active()) {
            client.send("RETR f");
            BlockSink sink = new BlockSink(bytes.length);
            sink.read(List.of(server.accept(), server.accept(), server.accept()));

            assertThat(client.last()).startsWith("226");
            assertThat(sink.bytes()).isEqualTo(bytes);
            assertThat(sink.expectedEnds()).isEqualTo(3);
            assertThat(sink.ends()).isEqualTo(3);

            // the same connections again
            client.send("RETR f");
            sink.readAgain();
            assertThat(client.reply()).startsWith("125");
            assertThat(client.last()).startsWith("226");
            assertThat(sink.bytes()).isEqualTo(bytes);
            sink.close();
        }
    }

    @Test
    void shouldSendTheComplementWhenRangesAreThereAlready() throws Exception {
        front.put("f", text("0123456789"));
        client.expect(200, "MODE E");
        try (ServerSocket server = client.active()) {
            client.expect(350, "REST 0-3,5-8");
            client.send("RETR f");
            BlockSink sink = new BlockSink(10);
            sink.read(List.of(server.accept()));

            assertThat(client.last()).startsWith("226");
            assertThat(sink.bytes()).isEqualTo(text("\0\0\0" + "34" + "\0\0\0" + "89"));
            sink.close();
        }
    }

    @Test
    void shouldNotWaitWhenModeEAndTheAddressDoNotFit() {
        front.put("f", text("x"));
        client.expect(200, "MODE E");
        client.passive();
        client.expect(503, "RETR f");
        FtpClient.close(client.active());
        client.expect(503, "STOR g");
        client.expect(200, "NOOP");
    }

    @Test
    void shouldAnswerTwiceAndGoOnWhenATransferIsAborted() {
        Socket data = FtpClient.open(client.passive());
        client.send("STOR f");
        FtpClient.write(data, text("abc"));
        client.expectReply(150);
        client.send(new byte[] {(byte) 0xff, (byte) 0xf4, (byte) 0xff, (byte) 0xf2});
        client.send("ABOR");

        client.expectReply(426);
        client.expectReply(226);
        assertThat(front.everything()).isEmpty();
        assertThat(put("STOR f", text("abc"))).startsWith("226");
        FtpClient.close(data);
        client.expect(226, "ABOR");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldReadOnWhenTheEndOfAborIsUrgent() {
        client.sendUrgent("ABOR\r\n");
        client.expectReply(226);
        client.expect(200, "NOOP");
    }

    @Test
    void shouldLeaveNothingWhenTheControlConnectionIsCut() {
        Socket data = FtpClient.open(client.passive());
        client.send("STOR f");
        FtpClient.write(data, text("abc"));
        client.expectReply(150);

        client.close();

        await().until(() -> front.front().sessions() == 0 && front.everything().isEmpty());
        FtpClient.close(data);
    }

    @Test
    void shouldTellTheAddressLaterWhenItMayBeDelayed() {
        client.expect(200, "OPTS PASV AllowDelayed=1;");
        assertThat(client.command("PASV")).isEqualTo("200 Passive delayed.");
        client.send("STOR f");
        Socket data = FtpClient.open(DataAddress.parsePasv(client.expectReply(127)));
        FtpClient.write(data, text("abc"));
        FtpClient.close(data);

        assertThat(client.last()).startsWith("226");
        assertThat(front.bytes("f")).isEqualTo(text("abc"));
    }

    @Test
    void shouldNotShowTheFileWhenItsChecksumIsAnother() {
        client.expect(200, "SCKS MD5 00");
        assertThat(put("STOR f", text("abc")))
                .startsWith("550-GlobusError: v=1 c=INCORRECT_CHECKSUM")
                .contains(
                        "550-GridFTP-Computed-Checksum: 900150983cd24fb0d6963f7d28e17f72",
                        "550-GridFTP-Expected-Checksum: 00");
        assertThat(front.everything()).isEmpty();

        client.expect(200, "SCKS MD5 900150983CD24FB0D6963F7D28E17F72");
        assertThat(put("STOR f", text("abc"))).startsWith("226");
        client.expect(213, "CKSM md5 0 -1 f");
    }

    @Test
    void shouldResumeFromItsMarkersWhenAModeETransferWasCut() {
        // given
        client.expect(200, "TREV RESTART 1");
        Socket data = storeBlocks();
        FtpClient.write(data, FtpClient.block(0, 0, text("abc")));
        await().until(() -> client.reply().equals("111 Range Marker 0-3"));
        FtpClient.close(data);
        assertThat(client.last()).startsWith("426");

        // when
        client.expect(350, "REST 0-3");
        Socket again = FtpClient.open(client.passive());
        client.send("STOR f");
        FtpClient.write(again, FtpClient.block(0, 3, text("def")), FtpClient.endOfFile(1));

        // then
        assertThat(client.last()).startsWith("226");
        assertThat(front.bytes("f")).isEqualTo(text("abcdef"));
        FtpClient.close(again);
    }

    @Test
    void shouldRunCommandsInOrderWhenTheyArePipelined() {
        front.put("f", text("abc"));
        client.send("SIZE f\r\nNOOP\r\nPWD\r\nMLST f");

        client.expectReply(213);
        client.expectReply(200);
        client.expectReply(257);
        client.expectReply(250);
    }
}
