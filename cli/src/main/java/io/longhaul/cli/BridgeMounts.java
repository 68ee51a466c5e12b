package io.longhaul.cli;

import io.longhaul.gridftp.file.DirectoryBackend;
import io.longhaul.gridftp.mount.MountTable;
import io.longhaul.gridftp.spi.FilePath;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** Opens what {@code --mount /PATH=file:///DIR} names. */
final class BridgeMounts {
    private static final String FILE = "file";
    private static final int DISK_THREADS = 4;

    private BridgeMounts() {}

    static MountTable open(Map<String, String> mounts, LongSupplier nanoTime) {
        List<MountTable.Mount> opened = new ArrayList<>();
        try {
            mounts.forEach((path, url) -> {
                if (!path.startsWith("/")) {
                    throw new IllegalArgumentException(
                            "--mount: expected /PATH=file:///DIR, found '" + path + "=" + url + "'");
                }
                opened.add(new MountTable.Mount(
                        FilePath.of(path),
                        DirectoryBackend.open(directory(url), DISK_THREADS, nanoTime, new SecureRandom())));
            });
            return new MountTable(opened, Clock.systemUTC().instant());
        } catch (RuntimeException e) {
            opened.forEach(mount -> mount.backend().close());
            throw e;
        }
    }

    /** Names with characters that URLs escape may be written as they are, or escaped. */
    private static Path directory(String url) {
        String scheme = FILE + "://";
        String text = url.startsWith(scheme) ? url.substring(scheme.length()) : "";
        if (!text.startsWith("/")) {
            throw new IllegalArgumentException("--mount: expected file:///DIR, found '" + url + "'");
        }
        try {
            return text.contains("%") ? Path.of(URI.create(scheme + text)) : Path.of(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--mount: expected file:///DIR, found '" + url + "'", e);
        }
    }
}
