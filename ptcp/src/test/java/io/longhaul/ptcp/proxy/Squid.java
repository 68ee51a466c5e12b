package io.longhaul.ptcp.proxy;

import io.longhaul.ptcp.net.ServerPorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;

/** A real proxy on the loopback, with configuration, log and users in one directory. */
final class Squid implements AutoCloseable {
    static final String USER = "agnes";
    static final String PASSWORD = "correct horse, \"battery\"";
    private static final Path PROGRAM = Path.of("/usr/sbin/squid");
    private static final List<Path> HELPERS = List.of(Path.of("/usr/lib/squid"), Path.of("/usr/lib64/squid"));
    private static final Duration START = Duration.ofSeconds(30);

    private final Process process;
    private final int port;

    private Squid(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** How a squid asks for credentials. */
    enum Scheme {
        BASIC("basic", "basic_ncsa_auth"),
        DIGEST("digest", "digest_file_auth");

        private final String token;
        private final String helper;

        Scheme(String token, String helper) {
            this.token = token;
            this.helper = helper;
        }
    }

    static Path helpers() {
        Path found = HELPERS.stream().filter(Files::isDirectory).findFirst().orElse(null);
        boolean installed = found != null && Files.isExecutable(PROGRAM);
        Assumptions.assumeTrue(installed, () -> {
            String missing = PROGRAM + " is missing (Debian: apt-get install --no-install-recommends squid)";
            System.err.println("NOT TESTED: connections through proxies with Basic and Digest; " + missing);
            return missing;
        });
        return found;
    }

    static Squid start(Path directory, Scheme scheme, String... more) throws Exception {
        Path helper = helpers().resolve(scheme.helper);
        // Started as root it takes another user's rights, who must find the way to these files.
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path users = directory.resolve("users");
        String secret = scheme == Scheme.BASIC ? md5(PASSWORD) : PASSWORD;
        Files.writeString(users, USER + ":" + secret + "\n");
        int port = ServerPorts.free();
        Path configuration = directory.resolve("squid.conf");
        Files.writeString(configuration, """
                http_port 127.0.0.1:%d
                pid_filename none
                access_log none
                cache_store_log none
                cache_log /dev/null
                coredump_dir none
                cache deny all
                cache_mem 8 MB
                max_filedescriptors 1024
                netdb_filename none
                pinger_enable off
                shutdown_lifetime 0 seconds
                connect_timeout 5 seconds
                visible_hostname squid.test
                auth_param %2$s program %3$s %4$s
                auth_param %2$s children 2 startup=1
                auth_param %2$s realm a, realm
                %5$s
                acl known proxy_auth REQUIRED
                acl forbidden port 1
                http_access deny !known
                http_access deny forbidden
                http_access allow known
                http_access deny all
                """.formatted(port, scheme.token, helper, users, String.join("\n", more)));
        Path log = directory.resolve("squid.log");
        Process process = new ProcessBuilder(PROGRAM.toString(), "-N", "-d", "1", "-f", configuration.toString())
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Squid squid = new Squid(process, port);
        try {
            Awaitility.await().atMost(START).until(() -> squid.isListening(log));
        } catch (Exception e) {
            squid.close();
            throw new IllegalStateException("squid did not start: " + Files.readString(log), e);
        }
        return squid;
    }

    private boolean isListening(Path log) throws IOException {
        if (!process.isAlive()) {
            throw new IllegalStateException("squid ended with " + process.exitValue() + ": " + Files.readString(log));
        }
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private static String md5(String text) throws NoSuchAlgorithmException {
        byte[] hash = MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(hash);
    }

    HttpProxy proxy() {
        return HttpProxy.parse("http://localhost:" + port).withCredentials(USER, PASSWORD);
    }

    @Override
    public void close() {
        // Asked to end, it takes two seconds; it keeps nothing, and its helpers end with it.
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
