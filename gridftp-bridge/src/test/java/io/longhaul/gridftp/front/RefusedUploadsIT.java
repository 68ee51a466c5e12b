package io.longhaul.gridftp.front;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.Accounts;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.ForwardingSink;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import io.netty.buffer.ByteBuf;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Uploads that the disk has no room for, from clients that look for a reply when they have sent all. */
final class RefusedUploadsIT extends OneClient {
    /** More than all buffers on the way take. */
    private static final byte[] LARGE = new byte[64 * 1024 * 1024];

    @Override
    Fronts launch(Path root) {
        return Fronts.of(root, Fronts.config(), Accounts.anonymous(), RefusedUploadsIT::full);
    }

    private static Backend full(Backend backend) {
        return (Backend) Proxy.newProxyInstance(
                Backend.class.getClassLoader(), new Class<?>[] {Backend.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("write")) {
                        return backend.write((WriteRequest) arguments[0]).thenApply(FullSink::new);
                    }
                    try {
                        return method.invoke(backend, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private record FullSink(Sink sink) implements ForwardingSink {
        @Override
        public CompletableFuture<Void> write(long position, ByteBuf bytes) {
            bytes.release();
            return CompletableFuture.failedFuture(new BackendException(Code.NO_SPACE, "/f: No space left on device"));
        }
    }

    @Test
    void shouldSayWhyWhenTheClientHasSentAll() {
        // given
        Socket data = FtpClient.open(client.passive());

        // when
        client.send("STOR f");
        FtpClient.write(data, LARGE);
        FtpClient.close(data);

        // then
        assertThat(client.last()).startsWith("552");
        client.expect(200, "NOOP");
        assertThat(front.everything()).isEmpty();
    }

    @Test
    void shouldSayWhyWhenTheClientHasSentAllItsBlocks() {
        // given
        client.expect(200, "MODE E");
        Socket data = FtpClient.open(client.passive());

        // when
        client.send("STOR f");
        FtpClient.write(data, FtpClient.block(0, 0, LARGE), FtpClient.endOfFile(1));
        FtpClient.close(data);

        // then
        assertThat(client.last()).startsWith("552");
        client.expect(200, "NOOP");
        assertThat(front.everything()).isEmpty();
    }
}
