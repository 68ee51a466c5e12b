package io.longhaul.gridftp.front;

import io.longhaul.gridftp.Accounts;
import io.longhaul.gridftp.FrontConfig;
import io.longhaul.gridftp.file.DirectoryBackend;
import io.longhaul.gridftp.spi.Backend;
import io.netty.util.ResourceLeakDetector;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;

/** A front over a directory, in this process. */
final class Fronts implements AutoCloseable {
    static {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    }

    private final DirectoryBackend backend;
    private final GridFtpFront front;
    private final Path root;

    private Fronts(Path root, FrontConfig config, Accounts accounts, UnaryOperator<Backend> seen) throws IOException {
        this.root = root;
        this.backend = DirectoryBackend.open(root, 2, System::nanoTime, new Random());
        Backend files = seen.apply(backend);
        this.front = GridFtpFront.launch(config, accounts, user -> files, 2);
    }

    static FrontConfig config() {
        return FrontConfig.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    static Fronts anonymous(Path root, FrontConfig config) {
        return of(root, config, Accounts.anonymous());
    }

    static Fronts of(Path root, FrontConfig config, Accounts accounts) {
        return of(root, config, accounts, UnaryOperator.identity());
    }

    /** Starts one whose clients see the directory through something else. */
    static Fronts of(Path root, FrontConfig config, Accounts accounts, UnaryOperator<Backend> seen) {
        try {
            return new Fronts(Files.createDirectories(root), config, accounts, seen);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    GridFtpFront front() {
        return front;
    }

    int port() {
        return front.port();
    }

    byte[] bytes(String name) {
        try {
            return Files.readAllBytes(root.resolve(name));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    void put(String name, byte[] bytes) {
        try {
            Files.write(root.resolve(name), bytes);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns every file below the root, also hidden ones, but for the lock of the back end. */
    List<String> everything() {
        List<String> names = new ArrayList<>();
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (attributes.isRegularFile()) {
                        names.add(root.relativize(file).toString());
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException failure) {
                    return FileVisitResult.CONTINUE; // it is gone meanwhile
                }

                @Override
                public FileVisitResult postVisitDirectory(Path directory, IOException failure) {
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return names.stream().filter(name -> !name.endsWith("/lock")).sorted().toList();
    }

    @Override
    public void close() {
        front.close();
        backend.close();
    }
}
