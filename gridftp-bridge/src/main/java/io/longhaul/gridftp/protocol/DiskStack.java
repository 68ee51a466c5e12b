package io.longhaul.gridftp.protocol;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code SITE SETDISKSTACK} asks for.
 *
 * <pre>
 * stack   = "default" | driver *( "," driver )
 * driver  = name [ ":" options ]          options as a whole are escaped once with %XX
 * options = *( key "=" value ";" )
 * urls    = delimiter url *( delimiter url )     each escaped once more
 * url     = ftp://[user[:password]@]host[:port]/path [ "?" options ]
 * </pre>
 *
 * Options that only say how a server is to send to others ({@code cc}, {@code P}, {@code tcpbs}, {@code subject}) are left
 * aside.
 *
 * @param copies where a file is to be stored besides
 * @param isLocal whether it is to be stored where the command says, too
 */
public record DiskStack(List<Url> copies, boolean isLocal) {
    /** The ordinary one. */
    public static final DiskStack FILE = new DiskStack(List.of(), true);

    private static final int MOST_COPIES = 64;
    private static final int FTP_PORT = 21;
    private static final int MOST_PORT = 65_535;
    private static final Pattern URL = Pattern.compile(
            "(?s)ftp://(?:(?<login>[^@/]*)@)?(?<host>\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._-]+)(?::(?<port>[0-9]{1,5}))?(?<path>/.+)",
            Pattern.CASE_INSENSITIVE);
    private static final String MULTICAST = "gridftp_multicast";
    private static final Set<String> PLAIN = Set.of("default", "file");
    private static final Set<String> NO = Set.of("no", "n", "false", "f", "0");
    private static final Pattern ESCAPE = Pattern.compile("%[0-9A-Fa-f]{2}");

    /**
     * A place.
     *
     * @param host name or address, without brackets
     * @param login empty for none
     * @param path absolute
     */
    public record Url(String host, int port, Optional<Login> login, String path) {
        /** Returns the URL without its password. */
        public String label() {
            String authority = host.contains(":") ? "[" + host + "]" : host;
            return "ftp://" + authority + ":" + port + path;
        }

        @Override
        public String toString() {
            return label();
        }
    }

    /** As whom to log in; the password may be empty. */
    public record Login(String user, String password) {
        @Override
        public String toString() {
            return user;
        }
    }

    /** Keeps a copy. */
    public DiskStack {
        copies = List.copyOf(copies);
    }

    /** Reads one; throws {@link ProtocolException}. */
    public static DiskStack parse(String text) {
        DiskStack stack = FILE;
        for (String driver : text.strip().split(",", -1)) {
            int colon = driver.indexOf(':');
            String name = (colon < 0 ? driver : driver.substring(0, colon)).strip();
            if (name.equals(MULTICAST)) {
                stack = multicast(unescaped(colon < 0 ? "" : driver.substring(colon + 1)));
            } else if (!PLAIN.contains(name)) {
                throw new ProtocolException("SETDISKSTACK: expected file or " + MULTICAST + ", found " + name);
            }
        }
        return stack;
    }

    private static DiskStack multicast(String options) {
        List<Url> copies = new ArrayList<>();
        boolean isLocal = true;
        for (String option : options.split(";", -1)) {
            int sign = option.indexOf('=');
            String key = sign < 0 ? option.strip() : option.substring(0, sign).strip();
            String value = sign < 0 ? "" : option.substring(sign + 1);
            if (key.equals("urls")) {
                urls(value, copies);
            } else if (key.equals("local_write")) {
                isLocal = !NO.contains(value.strip().toLowerCase(Locale.ROOT));
            }
        }
        if (copies.isEmpty() && !isLocal) {
            throw new ProtocolException("SETDISKSTACK: expected a place to store at, found none");
        }
        return new DiskStack(copies, isLocal);
    }

    private static void urls(String value, List<Url> copies) {
        if (value.isEmpty()) {
            return;
        }
        String delimiter = Pattern.quote(value.substring(0, 1));
        for (String element : value.substring(1).split(delimiter, -1)) {
            if (!element.isBlank()) {
                copies.add(url(unescaped(element)));
            }
        }
        if (copies.size() > MOST_COPIES) {
            throw new ProtocolException(
                    "SETDISKSTACK: expected at most " + MOST_COPIES + " URLs, found " + copies.size());
        }
    }

    private static Url url(String text) {
        int query = text.indexOf('?');
        Matcher parts = URL.matcher(query < 0 ? text : text.substring(0, query));
        // the text may have a password in it, so that it is not repeated
        if (!parts.matches()) {
            throw new ProtocolException("SETDISKSTACK: expected URLs of the form ftp://HOST[:PORT]/PATH");
        }
        Optional<Login> login = Optional.ofNullable(parts.group("login"))
                .filter(given -> !given.isEmpty())
                .map(DiskStack::login);
        String host = parts.group("host").replaceAll("[\\[\\]]", "");
        int port = parts.group("port") == null ? FTP_PORT : Integer.parseInt(parts.group("port"));
        String path = unescaped(parts.group("path"));
        String names =
                path + login.map(given -> given.user() + given.password()).orElse("");
        if (names.chars().anyMatch(Character::isISOControl) || port > MOST_PORT) {
            throw new ProtocolException("SETDISKSTACK: expected ports up to " + MOST_PORT
                    + " and names without control characters in URLs");
        }
        return new Url(host, port, login, path);
    }

    private static Login login(String text) {
        int colon = text.indexOf(':');
        if (colon == 0) {
            throw new ProtocolException("SETDISKSTACK: expected a user before the password in URLs");
        }
        return colon < 0
                ? new Login(unescaped(text), "")
                : new Login(unescaped(text.substring(0, colon)), unescaped(text.substring(colon + 1)));
    }

    /** Undoes one round of escapes; what is no escape stands for itself. */
    private static String unescaped(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] raw = text.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < raw.length; i++) {
            boolean isEscape = i + 2 < raw.length
                    && ESCAPE.matcher(new String(raw, i, 3, StandardCharsets.ISO_8859_1))
                            .matches();
            if (isEscape) {
                bytes.write(Integer.parseInt(new String(raw, i + 1, 2, StandardCharsets.ISO_8859_1), 16));
                i += 2;
            } else {
                bytes.write(raw[i]);
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new ProtocolException("SETDISKSTACK: expected UTF-8, found other bytes");
        }
    }
}
