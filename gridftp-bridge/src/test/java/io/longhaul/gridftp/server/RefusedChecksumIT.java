package io.longhaul.gridftp.server;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.ChecksumAlgorithm;
import io.longhaul.gridftp.spi.FilePath;
import org.junit.jupiter.api.Test;

/** A server that says of one file that it may not be read, as Globus servers do: with the code for commands that are not there. */
final class RefusedChecksumIT extends OneServer {
    @Test
    void shouldCompareWhatWasSentWhenTheChecksumOfAnotherFileWasRefused() {
        // given
        server.say("FEAT", "211-Features:\r\n SIZE\r\n MLST Type*;Size*;\r\n CKSM MD5:10;ADLER32:10;\r\n211 End");
        server.say("OPTS", "200 ok");
        server.on(
                "CKSM",
                (client, argument) -> client.say(
                        argument.endsWith("/secret")
                                ? "500-GlobusError: v=1 c=PERMISSION_DENIED\r\n500 End."
                                : "213 00000000"));
        server.files.put("/secret", new byte[3]);

        // when
        backend.checksum(
                        FilePath.of("/secret"),
                        ChecksumAlgorithm.ADLER32,
                        new ByteRange(0, Long.MAX_VALUE),
                        bytes -> {})
                .join();

        // then
        assertThatThrownBy(() -> put("hello")).hasMessageContaining("the server has 00000000");
    }
}
