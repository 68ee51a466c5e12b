package io.longhaul.gridftp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Block;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Source;
import io.longhaul.gridftp.spi.WriteRequest;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How much is said to a server about each of many small files. */
final class FewCommandsIT extends OneServer {
    private List<String> verbs() {
        return server.commands().stream().map(line -> line.split(" ", 2)[0]).toList();
    }

    @Test
    void shouldNotAskAgainWhatTheFileBeforeHasShownWhenOneIsStoredBehindIt() {
        // given
        put("first");
        server.files.clear();
        server.commands().clear();

        // when
        put("second");

        // then
        assertThat(server.files).containsOnlyKeys("/f");
        assertThat(verbs()).containsExactly("MLST", "RNFR", "EPSV", "STOR", "MLST", "RNFR", "RNTO", "MLST");
    }

    @Test
    void shouldNotLookTwiceAtAFileThatIsKnown() {
        // given
        put("hello");
        Entry known = backend.stat(FILE).join();
        server.commands().clear();

        // when
        Source source = backend.read(FILE, known, List.of(new ByteRange(0, Long.MAX_VALUE)))
                .join();
        Optional<Block> block = source.next().join();
        source.close();

        // then
        assertThat(block.orElseThrow().bytes().readableBytes()).isEqualTo(5);
        block.get().bytes().release();
        assertThat(verbs()).containsExactly("EPSV", "RETR");
    }

    @Test
    void shouldSayThatTheDirectoryHasGoneWhenTheServerDoesNot() {
        // given
        put("first");
        server.files.clear();
        server.say("STOR", "550 Failed.");
        server.say("MLST", "550 No such file or directory");

        // then
        assertThatThrownBy(() ->
                        backend.write(WriteRequest.replace(FilePath.of("/g"))).join())
                .cause()
                .isInstanceOfSatisfying(
                        BackendException.class, e -> assertThat(e.code()).isEqualTo(Code.NOT_FOUND));
    }
}
