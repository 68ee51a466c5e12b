package io.longhaul.it.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
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
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;

/** A squid of the testbed that wants to know who asks, and writes down whom it let through. */
public final class HttpProxy {
    public static final String USER = "agnes";
    public static final String PASSWORD = "correct horse";
    private static final Path PROGRAM = Path.of("/usr/sbin/squid");
    private static final List<Path> HELPERS = List.of(Path.of("/usr/lib/squid"), Path.of("/usr/lib64/squid"));
    private static final Duration START = Duration.ofSeconds(30);

    private final int port;
    private final Path log;

    private HttpProxy(int port, Path log) {
        this.port = port;
        this.log = log;
    }

    /** How it asks. */
    public enum Scheme {
        BASIC("basic", "basic_ncsa_auth"),
        DIGEST("digest", "digest_file_auth");

        private final String token;
        private final String helper;

        Scheme(String token, String helper) {
            this.token = token;
            this.helper = helper;
        }
    }

    /**
     * Starts it; skips the test, loudly, where there is no squid.
     *
     * @param directory that another user may enter: started as root, squid becomes one
     */
    public static HttpProxy start(Testbed testbed, Path directory, Scheme scheme) {
        Path helpers = HELPERS.stream().filter(Files::isDirectory).findFirst().orElse(null);
        Assumptions.assumeTrue(helpers != null && Files.isExecutable(PROGRAM), () -> {
            String missing = PROGRAM + " is missing (Debian: apt-get install --no-install-recommends squid)";
            System.err.println("NOT TESTED: agents and links behind HTTP proxies; " + missing);
            return missing;
        });
        HttpProxy proxy = new HttpProxy(testbed.freePort(), directory.resolve("access.log"));
        Path configuration = directory.resolve("squid.conf");
        try {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
            Path users = directory.resolve("users");
            String secret = scheme == Scheme.BASIC ? md5(PASSWORD) : PASSWORD;
            Files.writeString(users, USER + ":" + secret + "\n");
            Files.createFile(proxy.log);
            Files.setPosixFilePermissions(proxy.log, PosixFilePermissions.fromString("rw-rw-rw-"));
            Files.writeString(configuration, """
                    http_port 127.0.0.1:%d
                    pid_filename none
                    access_log stdio:%s
                    cache_store_log none
                    cache_log /dev/null
                    coredump_dir none
                    cache deny all
                    cache_mem 8 MB
                    max_filedescriptors 1024
                    netdb_filename none
                    pinger_enable off
                    shutdown_lifetime 0 seconds
                    visible_hostname squid.test
                    auth_param %3$s program %4$s %5$s
                    auth_param %3$s children 2 startup=1
                    auth_param %3$s realm a realm
                    acl known proxy_auth REQUIRED
                    http_access allow known
                    http_access deny all
                    """.formatted(
                            proxy.port, proxy.log, scheme.token, helpers.resolve(scheme.helper), users));
        } catch (IOException e) {
            throw new UncheckedIOException(directory + ": cannot be written", e);
        }
        List<String> command = List.of(PROGRAM.toString(), "-N", "-d", "1", "-f", configuration.toString());
        Child squid = testbed.start("squid", command, Map.of());
        Awaitility.await("squid listens: " + squid.story()).atMost(START).until(proxy::isListening);
        return proxy;
    }

    private boolean isListening() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private static String md5(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the URL of a broker behind it. */
    public String brokerUrl(String address) {
        return "ptcp://" + address + "?streams=2&proxy=http://127.0.0.1:" + port;
    }

    /** Returns how many tunnels of the known user to an address have ended. */
    public long tunnels(String address) {
        try {
            return Files.readAllLines(log).stream()
                    .filter(line -> line.contains("/200") && line.contains("CONNECT " + address + " " + USER))
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
