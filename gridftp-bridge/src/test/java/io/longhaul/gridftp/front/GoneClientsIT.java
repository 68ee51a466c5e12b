package io.longhaul.gridftp.front;

import static io.longhaul.gridftp.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clients whose control connection ends while bytes that they sent before are still on their way. */
final class GoneClientsIT extends OneClient {
    @Override
    Fronts launch(Path root) {
        return Fronts.anonymous(root, Certificate.in(place).over(Fronts.config()));
    }

    /** Begins to send a file and leaves. */
    private static Socket leave(FtpClient client) {
        Socket data = FtpClient.open(client.passive());
        client.send("STOR f");
        client.expectReply(150);
        client.close();
        return data;
    }

    private void leaveBehind(String first, byte[]... sent) {
        client.expect(200, first);
        Socket data = leave(client);
        FtpClient.write(data, sent);
        FtpClient.close(data);
    }

    private void assertFile(String expected) {
        await().until(() -> front.everything().equals(List.of("f")));
        assertThat(front.bytes("f")).isEqualTo(text(expected));
        await().until(() -> front.front().sessions() == 0);
    }

    private void assertNothing() {
        await().until(() -> front.front().sessions() == 0);
        await().until(() -> front.everything().isEmpty());
        // a file that got its name during that look is seen by the next one
        assertThat(front.everything()).isEmpty();
    }

    @Test
    void shouldTakeAFileWhenTheBlocksSayThatItIsAll() {
        client.expect(200, "MODE E");
        Socket data = leave(client);

        FtpClient.write(data, FtpClient.block(0, 0, text("abc")), FtpClient.block(0, 3, text("def")));
        assertThat(front.front().sessions()).isEqualTo(1);
        FtpClient.write(data, FtpClient.endOfFile(1));

        assertFile("abcdef");
        // nobody else would close it
        assertThat(FtpClient.readAll(data)).isEmpty();
    }

    @Test
    void shouldLeaveNothingWhenTheBlocksEndBeforeTheirEnd() {
        leaveBehind("MODE E", FtpClient.block(0, 0, text("abc")));

        assertNothing();
    }

    @Test
    void shouldLeaveNothingWhenTheOtherConnectionsNeverCame() {
        leaveBehind("MODE E", FtpClient.block(0, 0, text("abc")), FtpClient.endOfFile(2));

        assertNothing();
    }

    @Test
    void shouldNotWaitForMoreOverAConnectionThatHasBegunTheNextFile() {
        leaveBehind(
                "MODE E", FtpClient.block(0, 0, text("abc")), FtpClient.endOfFile(2), FtpClient.block(0, 0, text("x")));

        assertNothing();
    }

    @Test
    void shouldTakeAFileWhenItHasTheLengthThatWasSaid() {
        leaveBehind("ALLO 6", text("abcdef"));

        assertFile("abcdef");
    }

    @Test
    void shouldLeaveNothingWhenItIsLongerThanWasSaid() {
        leaveBehind("ALLO 5", text("abcdef"));

        assertNothing();
    }

    @Test
    void shouldLeaveNothingWhenNoLengthWasSaid() {
        Socket data = leave(client);

        assertNothing();
        FtpClient.close(data);
    }

    @Test
    void shouldTakeAFileOfTheLengthThatWasSaidWhenTlsHasNoEnd() throws IOException {
        try (FtpClient secured = FtpClient.connect(front.port()).guarded(place.resolve("front.crt"))) {
            secured.expect(200, "ALLO 6");
            Socket raw = FtpClient.open(secured.passive());
            secured.send("STOR f");
            Socket data = FtpClient.secured(place.resolve("front.crt"), raw);
            FtpClient.write(data, text("abcdef"));
            raw.close();

            secured.expectReply(150);
            secured.expectReply(226);
        }
        assertThat(front.bytes("f")).isEqualTo(text("abcdef"));
    }
}
