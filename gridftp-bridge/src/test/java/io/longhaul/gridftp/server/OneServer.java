package io.longhaul.gridftp.server;

import io.longhaul.gridftp.client.ClientConfig;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.ResourceLeakDetector;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What tests of a back end over one server have in common: both are there while a test runs. */
abstract class OneServer {
    static {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    }

    static final FilePath FILE = FilePath.of("/f");

    ScriptedServer server;
    GridFtpBackend backend;

    @BeforeEach
    void open() throws IOException {
        server = new ScriptedServer();
        backend = backend(server.config());
    }

    GridFtpBackend backend(ClientConfig config) {
        return GridFtpBackend.open(config, "test", System::nanoTime, new Random());
    }

    @AfterEach
    void close() throws IOException {
        backend.close();
        server.close();
    }

    static ByteBuf bytes(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
    }

    Sink sink() {
        return backend.write(WriteRequest.replace(FILE)).join();
    }

    void put(String text) {
        Sink sink = sink();
        sink.write(0, bytes(text)).join();
        sink.commit(bytes -> {}).join();
    }
}
