package io.longhaul.gridftp.server;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.Patience;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.ChecksumAlgorithm;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A server that computes checksums for as long as nobody stops it. */
final class UnwantedChecksumIT extends OneServer {
    @Test
    void shouldEndTheSessionWhenNobodyWantsTheChecksumAnyMore() {
        // given
        server.files.put("/f", new byte[3]);
        AtomicBoolean isAsked = new AtomicBoolean();
        server.on("CKSM", (client, argument) -> isAsked.set(true));
        AtomicBoolean isUnwanted = new AtomicBoolean();
        CompletableFuture<String> sum =
                backend.checksum(FILE, ChecksumAlgorithm.MD5, new ByteRange(0, Long.MAX_VALUE), bytes -> {
                    if (isUnwanted.get()) {
                        throw new CancellationException("nobody wants it");
                    }
                });
        Patience.await().until(isAsked::get);

        // when
        isUnwanted.set(true);

        // then
        assertThatThrownBy(sum.orTimeout(Patience.SECONDS, TimeUnit.SECONDS)::join)
                .cause()
                .isInstanceOf(BackendException.class)
                .hasMessageContaining("closed");
    }
}
