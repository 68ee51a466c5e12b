package io.longhaul.gridftp.front;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** What tests of one client of one front have in common: both are there while a test runs. */
abstract class OneClient {
    @TempDir
    Path place;

    Fronts front;
    FtpClient client;

    @BeforeEach
    void start() {
        front = launch(place.resolve("root"));
        client = login(front.port());
        client.expect(200, "TYPE I");
    }

    Fronts launch(Path root) {
        return Fronts.anonymous(root, Fronts.config());
    }

    FtpClient login(int port) {
        return FtpClient.anonymous(port);
    }

    @AfterEach
    void stop() {
        client.close();
        front.close();
    }

    String put(String command, byte[]... parts) {
        try (Socket data = FtpClient.open(client.passive())) {
            client.send(command);
            FtpClient.write(data, parts);
            FtpClient.close(data);
            return client.last();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    byte[] get(String command) {
        Socket data = FtpClient.open(client.passive());
        client.send(command);
        byte[] bytes = FtpClient.readAll(data);
        assertThat(client.last()).startsWith("226");
        return bytes;
    }

    static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
