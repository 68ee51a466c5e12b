package io.longhaul.gridftp.front;

import static io.longhaul.gridftp.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.Accounts;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files that are not open yet, or whose last byte has come and that are not in their place yet. */
final class PendingCommitIT extends OneClient {
    private final SlowBackend slow = new SlowBackend();

    @Override
    Fronts launch(Path root) {
        return Fronts.of(root, Fronts.config(), Accounts.anonymous(), slow::over);
    }

    @BeforeEach
    void askForMarkers() {
        client.expect(200, "TREV PERF 1");
    }

    private static String marker(long bytes) {
        return "Stripe Bytes Transferred: " + bytes + "\n";
    }

    private boolean seen(List<String> markers, String expected) {
        markers.add(client.reply());
        return markers.get(markers.size() - 1).contains(expected);
    }

    @Test
    void shouldTellHowFarItIsWhenTheReplyWaits() {
        // given
        client.expect(200, "MODE E");
        Socket data = FtpClient.open(client.passive());
        client.send("STOR f");
        FtpClient.write(data, FtpClient.block(0, 0, text("abcdef")), FtpClient.endOfFile(1));
        await().until(slow::isPending);
        List<String> markers = new ArrayList<>();

        // when
        slow.progress(2);
        await().until(() -> seen(markers, marker(2)));
        slow.progress(4);
        await().until(() -> seen(markers, marker(4)));
        assertThat(front.everything()).doesNotContain("f");
        slow.goOn();

        // then
        assertThat(client.last(markers)).startsWith("226");
        assertThat(markers.get(markers.size() - 2)).isEqualTo("111 Range Marker 0-6");
        assertThat(markers.get(markers.size() - 1)).contains(marker(6));
        assertThat(front.bytes("f")).isEqualTo(text("abcdef"));
        FtpClient.close(data);
    }

    @Test
    void shouldTellMarkersInModeSWhenTheClientAsksForThem() {
        Socket data = FtpClient.open(client.passive());
        client.send("STOR f");
        FtpClient.write(data, text("abcdef"));
        FtpClient.close(data);
        await().until(slow::isPending);
        List<String> markers = new ArrayList<>();

        slow.progress(3);
        await().until(() -> seen(markers, marker(3)));
        slow.goOn();

        assertThat(client.last(markers)).startsWith("226");
        assertThat(markers).noneMatch(marker -> marker.startsWith("111"));
    }

    @Test
    void shouldCompleteWhenTheClientLeavesAfterItsLastByte() {
        Socket data = FtpClient.open(client.passive());
        client.send("STOR f");
        FtpClient.write(data, text("abc"));
        FtpClient.close(data);
        await().until(slow::isPending);

        client.close();
        await().until(() -> front.front().sessions() == 0);
        slow.goOn();

        await().until(() -> front.everything().equals(List.of("f")));
        assertThat(front.bytes("f")).isEqualTo(text("abc"));
    }

    @Test
    void shouldCloseTheConnectionsOfAClientThatHasLeftOnlyTheOther() {
        client.expect(200, "MODE E");
        Socket data = FtpClient.open(client.passive());
        client.send("STOR f");
        FtpClient.write(data, FtpClient.block(0, 0, text("abc")), FtpClient.endOfFile(1));
        await().until(slow::isPending);

        client.close();

        assertThat(FtpClient.readAll(data)).isEmpty();
        await().until(() -> front.front().sessions() == 0);
        slow.goOn();
        await().until(() -> front.everything().equals(List.of("f")));
    }

    @Test
    void shouldAnswerAborAtOnceAndDeliverWhenTheFileHasComeWhole() {
        try (FtpClient unmarked = FtpClient.anonymous(front.port())) {
            // given
            Socket data = FtpClient.open(unmarked.passive());
            unmarked.send("STOR f");
            FtpClient.write(data, text("abc"));
            FtpClient.close(data);
            await().until(slow::isPending);

            // when
            unmarked.send("ABOR");

            // then
            assertThat(unmarked.last()).startsWith("426").endsWith("delivery goes on.");
            unmarked.expectReply(226);
            slow.goOn();
            await().until(() -> front.everything().equals(List.of("f")));
            unmarked.expect(200, "NOOP");
        }
    }

    @Test
    void shouldAnswerAborAndLeaveNothingWhenAFileIsBeingOpened() {
        // given
        slow.hold();
        Socket data = FtpClient.open(client.passive());
        client.send("STOR f");
        await().until(() -> !front.everything().isEmpty());

        // when
        client.send("ABOR");

        // then
        client.expectReply(426);
        client.expectReply(226);
        assertThat(FtpClient.readAll(data)).isEmpty();
        client.expect(200, "NOOP");
        slow.letGo();
        await().until(() -> front.everything().isEmpty());
    }

    @Test
    void shouldAnswerAborWhenAFileToReadIsBeingOpened() {
        front.put("f", text("abc"));
        slow.hold();
        client.passive();
        client.send("RETR f\r\nABOR");

        client.expectReply(426);
        client.expectReply(226);
        slow.letGo();

        Socket data = FtpClient.open(client.passive());
        client.send("RETR f");
        assertThat(FtpClient.readAll(data)).isEqualTo(text("abc"));
        assertThat(client.last()).startsWith("226");
    }

    @Test
    void shouldEndAChecksumWhenItIsAborted() {
        // given
        client.send("CKSM MD5 0 -1 f");
        await().until(slow::isSumming);
        slow.summed(1);

        // when
        client.send("ABOR");
        client.expectReply(426);
        client.expectReply(226);

        // then
        assertThatThrownBy(() -> slow.summed(2)).isInstanceOf(CancellationException.class);
    }

    @Test
    void shouldEndAChecksumWhenTheClientLeaves() {
        // given
        client.send("CKSM MD5 0 -1 f");
        await().until(slow::isSumming);

        // when
        client.close();
        await().until(() -> front.front().sessions() == 0);

        // then
        assertThatThrownBy(() -> slow.summed(2)).isInstanceOf(CancellationException.class);
    }
}
