package io.longhaul.gridftp.client;

import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.FilePath;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/**
 * Where a server is and what of it is meant: {@code ftp://[USER@]HOST[:PORT]/[PATH]}. The path is absolute, as GridFTP
 * clients understand it, not relative to the user's home.
 *
 * @param host name or address, without brackets
 * @param port default: 21
 * @param user default: nobody, which is an anonymous login
 * @param base directory that is the root of what is seen
 */
public record ServerUrl(String host, int port, Optional<String> user, FilePath base) {
    private static final int FTP_PORT = 21;
    private static final int MOST_PORT = 65_535;

    /** Reads the text of a URL; throws {@link IllegalArgumentException}, and never repeats a password that is in it. */
    public static ServerUrl parse(String text) {
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(
                    "server: expected " + form() + ", found something else at character " + e.getIndex());
        }
        String user = uri.getUserInfo();
        if (user != null && user.contains(":")) {
            throw new IllegalArgumentException("server: expected no password in the URL, which others can read; "
                    + "it is taken from the environment");
        }
        if (!"ftp".equalsIgnoreCase(uri.getScheme())
                || uri.getHost() == null
                || uri.getRawQuery() != null
                || uri.getRawFragment() != null
                || user != null && hasControl(user)
                || hasControl(uri.getPath())) {
            throw new IllegalArgumentException("server: expected " + form());
        }
        if (uri.getPort() == 0 || uri.getPort() > MOST_PORT) {
            throw new IllegalArgumentException(
                    "server: expected a port from 1 to " + MOST_PORT + ", found " + uri.getPort());
        }
        String host = uri.getHost();
        try {
            return new ServerUrl(
                    host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
                    uri.getPort() < 0 ? FTP_PORT : uri.getPort(),
                    Optional.ofNullable(user).filter(name -> !name.isEmpty()),
                    FilePath.of(uri.getPath()));
        } catch (BackendException e) {
            throw new IllegalArgumentException("server: expected " + form() + ": " + e.getMessage(), e);
        }
    }

    private static String form() {
        return "ftp://[USER@]HOST[:PORT]/[PATH]";
    }

    private static boolean hasControl(String text) {
        return text.chars().anyMatch(Character::isISOControl);
    }

    /** Returns {@code HOST:PORT}, for messages. */
    public String address() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    @Override
    public String toString() {
        return "ftp://" + user.map(name -> name + "@").orElse("") + address() + base;
    }
}
