package io.longhaul.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.longhaul.broker.users.PlainYaml;
import io.longhaul.broker.users.SmallFile;
import io.longhaul.cli.option.NearestKey;
import io.longhaul.gridftp.client.Credentials;
import io.longhaul.gridftp.server.Logins;
import io.longhaul.storage.StorageException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The file that says as whom users of fronts log in at the server behind a back. Faults are {@link IllegalArgumentException}s that
 * name the file and the entry, and never repeat what is in it: it has passwords.
 */
final class LoginsFile {
    private static final String USERS = "users";
    private static final String DEFAULT = "default";
    private static final String LOGIN = "login";
    private static final String PASSWORD = "password";
    private static final String PASSWORD_FILE = "password-file";
    private static final Set<String> NOBODY = Set.of("anonymous", "ftp");

    private final Path file;

    private LoginsFile(Path file) {
        this.file = file;
    }

    static Logins read(Path file) {
        try {
            return new LoginsFile(file).logins(PlainYaml.read(SmallFile.text(file)));
        } catch (JsonProcessingException e) {
            // its message quotes the line
            int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
            throw new IllegalArgumentException("--logins " + file
                    + ": not valid YAML, a key twice, an alias, or a second document, at line " + line);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("--logins " + file + ": no such file", e);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("--logins " + file + ": expected text in UTF-8, found other bytes", e);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "--logins " + file + ": cannot be read: " + StorageException.reason(e), e);
        }
    }

    private IllegalArgumentException bad(String what) {
        return new IllegalArgumentException("--logins " + file + ": " + what);
    }

    private Logins logins(JsonNode root) {
        keys("", root, List.of(USERS, DEFAULT));
        Map<String, Credentials> users = new HashMap<>();
        if (root.has(USERS)) {
            JsonNode named = root.get(USERS);
            keys(USERS + ": ", named, null);
            named.properties()
                    .forEach(user ->
                            users.put(user.getKey(), login("user " + user.getKey(), user.getValue(), user.getKey())));
        }
        Optional<Credentials> others = Optional.ofNullable(root.get(DEFAULT)).map(entry -> login(DEFAULT, entry, null));
        if (users.isEmpty() && others.isEmpty()) {
            throw bad("expected users, or a default, found none");
        }
        return new Logins(users, others);
    }

    /** Checks that there is a mapping, of known keys if they are known. */
    private void keys(String where, JsonNode node, @Nullable List<String> known) {
        if (!node.isObject()) {
            throw bad(where + "expected one 'key: value' a line");
        }
        if (known == null) {
            return;
        }
        node.fieldNames().forEachRemaining(key -> {
            if (!known.contains(key)) {
                throw bad(where + "unknown key '" + key + "'" + NearestKey.hint(key, known));
            }
        });
    }

    /** Reads an entry; its user's own name is the login where it says no other. */
    private Credentials login(String what, JsonNode entry, @Nullable String own) {
        String where = what + ": ";
        keys(where, entry, List.of(LOGIN, PASSWORD, PASSWORD_FILE));
        String login = text(where, entry, LOGIN)
                .or(() -> Optional.ofNullable(own))
                .orElseThrow(() -> bad(where + "expected a " + LOGIN + ", found none"));
        Optional<String> password = text(where, entry, PASSWORD);
        Optional<String> place = text(where, entry, PASSWORD_FILE);
        if (password.isPresent() && place.isPresent()) {
            throw bad(where + "expected " + PASSWORD + " or " + PASSWORD_FILE + ", found both");
        }
        Optional<String> secret = password.or(() -> place.map(name -> secret(where, name)));
        if (secret.isEmpty() && !NOBODY.contains(login)) {
            throw bad(where + "expected a " + PASSWORD + " or " + PASSWORD_FILE + ", found neither");
        }
        try {
            return secret.map(known -> new Credentials(login, known)).orElseGet(() -> Credentials.anonymous(login));
        } catch (IllegalArgumentException e) {
            throw bad(where + e.getMessage());
        }
    }

    private String secret(String where, String place) {
        Path beside = file.resolveSibling(place);
        String secret;
        try {
            secret = ConnectionOptions.firstLine(beside);
        } catch (IllegalArgumentException e) {
            throw bad(where + e.getMessage());
        }
        if (secret.isEmpty()) {
            throw bad(where + beside + ": expected a password in the first line, found none");
        }
        return secret;
    }

    private Optional<String> text(String where, JsonNode entry, String key) {
        JsonNode node = entry.get(key);
        if (node == null) {
            return Optional.empty();
        }
        if (!node.isTextual() || node.textValue().isEmpty()) {
            throw bad(where + key + ": expected text, in quotes where it looks like something else");
        }
        return Optional.of(node.textValue());
    }
}
