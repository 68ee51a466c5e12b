package io.longhaul.gridftp.front;

import static io.longhaul.gridftp.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.FrontLimits;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Uploads that break, and those that go on with them: none may leave a mixture, or an empty file. */
final class BrokenTransfersIT extends OneClient {
    private static final byte[] OLD = text("0123456789");

    @Override
    Fronts launch(Path root) {
        FrontLimits limits = FrontLimits.defaults()
                .withTimes(
                        Duration.ofSeconds(60), Duration.ofSeconds(60), Duration.ofSeconds(1), Duration.ofSeconds(60));
        return Fronts.anonymous(root, Certificate.in(place).over(Fronts.config().withLimits(limits)));
    }

    @BeforeEach
    void putTheOldFile() {
        front.put("f", OLD);
    }

    private static void reset(Socket data) throws IOException {
        data.setSoLinger(true, 0);
        data.close();
    }

    @Test
    void shouldKeepTheFileWhenTheConnectionIsResetBeforeItsFirstByte() throws IOException {
        Socket data = FtpClient.open(client.passive());
        client.send("STOR f");
        client.expectReply(150);

        reset(data);

        assertThat(client.last()).startsWith("425");
        assertThat(front.bytes("f")).isEqualTo(OLD);
    }

    @Test
    void shouldFailAtOnceWhenTheConnectionThatItOpenedIsReset() throws IOException {
        try (ServerSocket server = client.active()) {
            client.send("STOR f");
            Socket data = server.accept();
            client.expectReply(150);

            reset(data);
        }

        // 425 when the reset comes before the front has seen that it is connected
        assertThat(client.last()).matches("(?s)42[56] .*");
        assertThat(front.bytes("f")).isEqualTo(OLD);
    }

    @Test
    void shouldKeepTheFileWhenAConnectionEndsBeforeItIsProtected() {
        try (FtpClient secured = FtpClient.connect(front.port()).guarded(place.resolve("front.crt"))) {
            Socket data = FtpClient.open(secured.passive());
            secured.send("STOR f");
            secured.expectReply(150);
            FtpClient.close(data);

            assertThat(secured.last()).startsWith("425");
            assertThat(front.bytes("f")).isEqualTo(OLD);
        }
    }

    @Test
    void shouldRefuseWhenRangesAreThoseOfAPartThatIsGone() {
        client.expect(200, "MODE E");
        client.expect(350, "REST 0-3");
        client.passive();

        assertThat(client.command("STOR f")).startsWith("554");
        assertThat(front.bytes("f")).isEqualTo(OLD);
    }

    @Test
    void shouldRefuseAPositionWhenTheFileIsNotTheOneThatWasCut() throws IOException {
        Socket data = FtpClient.open(client.passive());
        client.send("STOR f");
        FtpClient.write(data, text("abc"));
        reset(data);
        assertThat(client.last()).startsWith("426");

        client.expect(350, "REST 3");
        client.passive();

        assertThat(client.command("STOR f")).startsWith("554");
        assertThat(front.bytes("f")).isEqualTo(OLD);
    }

    @Test
    void shouldKeepWhatItPromisedWhenAResumedTransferIsCutTooOrAborted() {
        // given
        client.expect(200, "MODE E");
        client.expect(200, "TREV RESTART 1");
        Socket data = FtpClient.open(client.passive());
        client.send("STOR f");
        FtpClient.write(data, FtpClient.block(0, 0, text("abc")));
        await().until(() -> client.reply().equals("111 Range Marker 0-3"));
        FtpClient.close(data);
        assertThat(client.last()).startsWith("426");

        // when
        client.expect(350, "REST 0-3");
        Socket again = FtpClient.open(client.passive());
        client.send("STOR f");
        FtpClient.write(again, FtpClient.block(0, 3, text("x")));
        FtpClient.close(again);
        assertThat(client.last()).startsWith("426");
        client.expect(350, "REST 0-3");
        client.passive();
        client.send("STOR f\r\nABOR");
        assertThat(client.last()).startsWith("426");
        client.expectReply(226);

        // then
        client.expect(350, "REST 0-3");
        Socket last = FtpClient.open(client.passive());
        client.send("STOR f");
        FtpClient.write(last, FtpClient.block(0, 3, text("def")), FtpClient.endOfFile(1));
        assertThat(client.last()).startsWith("226");
        assertThat(front.bytes("f")).isEqualTo(text("abcdef"));
        FtpClient.close(last);
    }

    @Test
    void shouldKeepTheLastByteOfATextWhenItIsAReturn() {
        client.expect(200, "TYPE A");
        Socket data = FtpClient.open(client.passive());
        client.send("STOR t");
        FtpClient.write(data, text("a\r\nb\r"));
        FtpClient.close(data);

        assertThat(client.last()).startsWith("226");
        assertThat(front.bytes("t")).isEqualTo(text("a\nb\r"));
    }

    @Test
    void shouldAnswerInTurnWhenALineDuringATransferIsNoCommand() {
        Socket data = FtpClient.open(client.passive());
        client.send("STOR g");
        client.expectReply(150);
        client.send(new byte[] {(byte) 0xc3, 0x28, '\n'});
        FtpClient.write(data, text("abc"));
        FtpClient.close(data);

        assertThat(client.last()).startsWith("226");
        client.expectReply(500);
        assertThat(front.bytes("g")).isEqualTo(text("abc"));
    }
}
