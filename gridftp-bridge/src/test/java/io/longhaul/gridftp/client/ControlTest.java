package io.longhaul.gridftp.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.PathWords;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class ControlTest {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Control control = new Control("server", channel, PathWords.below(FilePath.of("/srv/data")));

    private Reply answer(Reply said) {
        channel.pipeline().addLast(control);
        CompletableFuture<Reply> answer = control.send("DELE /srv/data/f", reply -> {});
        channel.writeInbound(said);
        channel.releaseOutbound();
        return answer.join();
    }

    @Test
    void shouldTellPathsAsItsUsersKnowThemWhenTheServerRefuses() {
        Reply answer = answer(Reply.of(550, "/srv/data/f: Permission denied"));

        assertThat(answer.lines()).containsExactly("/f: Permission denied");
    }

    @Test
    void shouldLeaveWhatTheServerAnswersAsItIs() {
        Reply answer = answer(Reply.of(257, "\"/srv/data\" is current directory."));

        assertThat(answer.lines()).containsExactly("\"/srv/data\" is current directory.");
    }
}
