package io.longhaul.gridftp.server;

import io.longhaul.gridftp.Accounts;
import io.longhaul.gridftp.FrontConfig;
import io.longhaul.gridftp.client.ClientConfig;
import io.longhaul.gridftp.client.Credentials;
import io.longhaul.gridftp.client.ServerUrl;
import io.longhaul.gridftp.file.DirectoryBackend;
import io.longhaul.gridftp.front.GridFtpFront;
import io.netty.util.ResourceLeakDetector;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** A front over a directory in this process, as the server behind a back end. */
final class Served implements AutoCloseable {
    static {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    }

    private final Path root;
    private final DirectoryBackend files;
    private final GridFtpFront front;

    private Served(Path root, UnaryOperator<FrontConfig> settings, Accounts accounts) throws IOException {
        this.root = Files.createDirectories(root);
        this.files = DirectoryBackend.open(root, 2, System::nanoTime, new Random());
        this.front = GridFtpFront.launch(
                settings.apply(FrontConfig.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))),
                accounts,
                user -> files,
                2);
    }

    static Served directory(Path root) {
        return directory(root, config -> config, Accounts.anonymous());
    }

    static Served directory(Path root, UnaryOperator<FrontConfig> settings, Accounts accounts) {
        try {
            return new Served(root, settings, accounts);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    ClientConfig config() {
        return config(Credentials.anonymous());
    }

    ClientConfig config(Credentials who) {
        return ClientConfig.of(ServerUrl.parse("ftp://127.0.0.1:" + front.port() + "/"), who);
    }

    /** Returns every file, also hidden ones, but for the lock of the directory's own back end. */
    List<String> everything() {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> root.relativize(file).toString())
                    .filter(name -> !name.endsWith("/lock"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        front.close();
        files.close();
    }
}
