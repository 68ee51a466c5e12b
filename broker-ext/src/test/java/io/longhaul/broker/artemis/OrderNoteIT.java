package io.longhaul.broker.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrderNoteIT {
    @TempDir
    Path data;

    private ActiveMQServer server;

    @BeforeEach
    void start() throws Exception {
        server = BareServer.start(BareServer.in(data));
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    @Test
    void shouldHaveWhatWasWrittenLastAfterARestart() throws Exception {
        // given
        OrderNote note = new OrderNote(server);
        assertThat(note.read()).isZero();

        // when
        note.write(5);
        note.write(1_800_000_000_000L * 1024);
        stop();
        start();

        // then
        assertThat(new OrderNote(server).read()).isEqualTo(1_800_000_000_000L * 1024);
    }
}
