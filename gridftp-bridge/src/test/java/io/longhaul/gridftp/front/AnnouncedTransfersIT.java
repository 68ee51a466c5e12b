package io.longhaul.gridftp.front;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a client says of a transfer before it: how long it is, and where it starts. */
final class AnnouncedTransfersIT extends OneClient {
    /** ALLO is a hint; a file may have become shorter since its client looked at it. */
    @Test
    void shouldTakeLessThanWasAnnouncedWhenTheClientStays() {
        for (String come : List.of("abc", "")) {
            client.expect(200, "ALLO 10");

            assertThat(put("STOR f", text(come))).startsWith("226");
            assertThat(front.bytes("f")).isEqualTo(text(come));
        }
    }

    @Test
    void shouldLeaveNothingWhenLessComesThanWasAnnouncedAndTheClientAborts() {
        client.expect(200, "ALLO 10");
        Socket data = FtpClient.open(client.passive());
        client.send("STOR f");
        FtpClient.write(data, text("abc"));
        FtpClient.close(data);
        client.send("ABOR");

        assertThat(client.last()).startsWith("426");
        client.expectReply(226);
        assertThat(front.everything()).isEmpty();
    }

    @Test
    void shouldLeaveNothingWhenBlocksBringLessThanWasAnnounced() {
        client.expect(200, "MODE E");
        client.expect(200, "ALLO 10");

        assertThat(put("STOR f", FtpClient.block(0, 0, text("abc")), FtpClient.endOfFile(1)))
                .startsWith("426");
        assertThat(front.everything()).isEmpty();
    }

    /** As at other servers: it is about the next file, and lists have no position. */
    @Test
    void shouldKeepWhereToStartWhenAListComesBefore() {
        for (String list : List.of("NLST", "LIST", "MLSD", "MLSD none", "NLST none")) {
            // given
            front.put("f", text("0123456789"));
            client.expect(350, "REST 4");
            Socket data = FtpClient.open(client.passive());
            client.send(list);
            assertThat(client.last()).as(list).startsWith(list.endsWith("none") ? "550" : "226");
            FtpClient.close(data);

            // then
            assertThat(get("RETR f")).as(list).isEqualTo(text("456789"));
            assertThat(get("RETR f")).as(list).isEqualTo(text("0123456789"));
        }
    }

    @Test
    void shouldForgetWhereToStartWhenTheTransferIsRefused() {
        for (String refused : List.of("RETR caf\u00e9", "ERET P f")) {
            // given
            front.put("f", text("0123456789"));
            client.expect(350, "REST 4");
            client.send((refused + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            client.expectReply(501);

            // when
            byte[] got = get("RETR f");

            // then
            assertThat(got).isEqualTo(text("0123456789"));
        }
    }

    @Test
    void shouldForgetWhatWasAnnouncedWhenNoFileComesNext() {
        for (String command : List.of("MLSD", "RETR f")) {
            // given
            front.put("f", text("0123456789"));
            client.expect(200, "ALLO 10");
            get(command);

            // then
            assertThat(put("STOR f", text("abc"))).startsWith("226");
        }
    }

    @Test
    void shouldForgetWhatWasAnnouncedWhenTheTransferIsRefused() {
        for (String refused : List.of("STOR f", "RETR f", "ERET P 0 1 f", "STOR", "APPE", "RETR")) {
            // given
            client.expect(200, refused.startsWith("ERET") ? "MODE E" : "MODE S");
            client.expect(200, "TYPE A");
            client.expect(200, "ALLO 5");
            client.expect(200, "SCKS MD5 " + "0".repeat(32));
            client.expect(350, "REST 3");
            client.expect(refused.endsWith("f") ? 504 : 501, refused);
            client.expect(200, "MODE S");
            client.expect(200, "TYPE I");

            // when
            String stored = put("STOR g", text("abc"));

            // then
            assertThat(stored).as(refused).startsWith("226");
            assertThat(front.bytes("g")).isEqualTo(text("abc"));
        }
    }

    @Test
    void shouldForgetTheChecksumWhenTheTransferIsRefused() {
        for (String refused : List.of("RETR none", "ERET P 0 1 none", "ERET P", "ESTO A")) {
            // given
            client.expect(200, "SCKS MD5 " + "0".repeat(32));
            client.passive();
            assertThat(client.command(refused)).as(refused).startsWith("5");

            // then
            assertThat(put("STOR g", text("abc"))).as(refused).startsWith("226");
        }
    }

    @Test
    void shouldKeepTheChecksumForTheFileWhenAnotherIsReadBeforeIt() {
        // given
        front.put("f", text("0123456789"));
        client.expect(200, "SCKS MD5 " + "0".repeat(32));
        get("RETR f");
        client.passive();
        client.expect(550, "MLSD none");

        // then
        assertThat(put("STOR g", text("abc"))).startsWith("550");
    }

    /** What globus-url-copy does whose -off and -len reach behind the end of its own file; as a Globus server does. */
    @Test
    void shouldStoreAPartWhenTheClientsFileEndsBeforeIt() {
        for (String part : List.of("", "ab")) {
            // given
            front.put("f", text("0123456789"));
            client.expect(200, "MODE S");
            client.expect(200, "ALLO 5");

            // when
            String streamed = put("ESTO A 4 f", text(part));

            // then
            assertThat(streamed).startsWith("226");
            assertThat(front.bytes("f")).isEqualTo(text(part.isEmpty() ? "0123456789" : "0123ab6789"));

            // given
            client.expect(200, "MODE E");
            client.expect(200, "ALLO 5");

            // when
            String inBlocks = put("ESTO A 6 f", FtpClient.block(0, 0, text(part)), FtpClient.endOfFile(1));

            // then
            assertThat(inBlocks).startsWith("226");
            assertThat(front.bytes("f")).isEqualTo(text(part.isEmpty() ? "0123456789" : "0123abab89"));
        }
    }

    @Test
    void shouldRefuseWhenMoreIsAnnouncedThanAnyDiskHolds() {
        for (String bytes : List.of("1000000000000000000", "18446744073709551615")) {
            client.passive();
            client.expect(200, "ALLO " + bytes);
            client.expect(552, "STOR f");
        }
        client.expect(501, "ALLO -1");
        assertThat(front.everything()).isEmpty();
    }
}
