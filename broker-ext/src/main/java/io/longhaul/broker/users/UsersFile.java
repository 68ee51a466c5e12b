package io.longhaul.broker.users;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.longhaul.broker.limits.Limit;
import io.longhaul.broker.users.FileRights.PathRight;
import io.longhaul.broker.users.FileRights.Right;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The users of a broker and their rights, as a YAML file keeps them. Immutable.
 *
 * <pre>
 * users:
 *   alice:
 *     password: pbkdf2-sha256$210000$...$...
 *     publish: [climate.*]
 *     subscribe: ['#']
 *   site-b:
 *     password: pbkdf2-sha256$210000$...$...
 *     publish: ['#']
 *     subscribe: ['#']
 *     link: true
 *     limits: {rate: 52428800, transfers: 4, backlog: 10737418240, pieces: 200}
 *   ops:
 *     password: pbkdf2-sha256$210000$...$...
 *     operate: true
 *   ann:
 *     password: pbkdf2-sha256$210000$...$...
 *     root: /home/ann
 *     paths:
 *       - path: /data
 *         rights: read
 *   anonymous:
 *     password: none
 *     root: /pub
 * </pre>
 *
 * Only {@code anonymous} may lack a password: anybody at a door, and nobody at a broker.
 */
public final class UsersFile {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,99}");
    private static final String ANONYMOUS = "anonymous";

    /** Of a user or a right that is there twice only one could count, and nobody would see which. */
    private static final YAMLMapper YAML = YAMLMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .build();

    private final Map<String, Account> accounts;

    private UsersFile(Map<String, Account> accounts) {
        this.accounts = accounts;
    }

    private record Form(@JsonProperty("users") @Nullable Map<String, @Nullable User> users) {}

    private record User(
            @JsonProperty("password") @Nullable String password,
            @JsonProperty("publish") @Nullable List<String> publish,
            @JsonProperty("subscribe") @Nullable List<String> subscribe,

            @JsonProperty("link") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Boolean link,

            @JsonProperty("operate") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Boolean operate,

            @JsonProperty("root") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String root,

            @JsonProperty("paths") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            List<PathForm> paths,

            @JsonProperty("limits") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Limits limits) {}

    private record PathForm(
            @JsonProperty("path") @Nullable String path,
            @JsonProperty("rights") @Nullable String rights) {}

    private record Limits(
            @JsonProperty("rate") long rate,
            @JsonProperty("transfers") int transfers,
            @JsonProperty("backlog") long backlog,
            @JsonProperty("pieces") long pieces) {
        static Limits of(Limit limit) {
            return new Limits(limit.rate(), limit.transfers(), limit.backlog(), limit.pieces());
        }

        Limit limit() {
            return new Limit(rate, transfers, backlog, pieces);
        }
    }

    /** Returns a file without users, to be filled with {@link #with}. */
    public static UsersFile empty() {
        return new UsersFile(Map.of());
    }

    /** Reads a file; every fault is named with the file, the user and the field. */
    public static UsersFile read(Path file) {
        try {
            return parse(file, SmallFile.text(file));
        } catch (NoSuchFileException e) {
            throw new UsersException("users file " + file + ": expected a file, found none", e);
        } catch (AccessDeniedException e) {
            throw new UsersException("users file " + file + ": expected one that may be read, found no permission", e);
        } catch (UnrecognizedPropertyException e) {
            throw new UsersException(
                    "users file " + file + ": unknown field '" + e.getPropertyName() + "', expected one of "
                            + e.getKnownPropertyIds() + where(e),
                    e);
        } catch (MismatchedInputException e) {
            throw new UsersException("users file " + file + ": " + mismatch(e) + where(e), e);
        } catch (JacksonException e) {
            throw new UsersException(
                    "users file " + file + ": " + e.getOriginalMessage().replaceAll("\\s+", " ") + where(e), e);
        } catch (IOException e) {
            throw new UsersException("users file " + file + ": cannot be read: " + reason(e), e);
        }
    }

    private static String reason(IOException failure) {
        if (failure instanceof CharacterCodingException) {
            return "expected text in UTF-8, found other bytes";
        }
        String system = failure instanceof FileSystemException known ? known.getReason() : failure.getMessage();
        return system == null ? failure.toString() : system;
    }

    /** The reader's own words name its classes. */
    private static String mismatch(MismatchedInputException e) {
        Class<?> expected = e.getTargetType() == null ? Object.class : e.getTargetType();
        String place = e.getPath().stream()
                .map(step -> step.getFieldName() == null ? "entry " + (step.getIndex() + 1) : step.getFieldName())
                .collect(Collectors.joining(": "));
        String form = "one 'key: value' a line";
        if (Collection.class.isAssignableFrom(expected)) {
            form = "a list such as [a, b]";
        } else if (expected == Boolean.class) {
            form = "true or false";
        } else if (expected == long.class || expected == int.class) {
            form = "a whole number";
        } else if (expected == String.class) {
            form = "text";
        }
        return (place.isEmpty() ? "" : place + ": ") + "expected " + form + ", found something else";
    }

    private static String where(JacksonException e) {
        JsonLocation place = e.getLocation();
        return place == null ? "" : " (line " + place.getLineNr() + ", column " + place.getColumnNr() + ")";
    }

    private static UsersFile parse(Path file, String text) throws IOException {
        boolean empty = PlainYaml.read(text).isMissingNode();
        Form form = empty ? new Form(Map.of()) : YAML.readValue(text, Form.class);
        Map<String, Account> accounts = new TreeMap<>();
        if (form.users() != null) {
            form.users().forEach((name, user) -> accounts.put(name, account(file, name, user)));
        }
        return new UsersFile(accounts);
    }

    private static Account account(Path file, String name, @Nullable User user) {
        String where = "users file " + file + ", user " + name + ": ";
        try {
            checkName(name);
            if (user == null || user.password() == null) {
                throw new UsersException(where + "expected a password, found none");
            }
            PasswordHash password = PasswordHash.parse(user.password());
            if (password == PasswordHash.NONE && !name.equals(ANONYMOUS)) {
                throw new UsersException(
                        where + "expected a password, which only " + ANONYMOUS + " may lack, found none");
            }
            return new Account(
                    name,
                    password,
                    patterns("publish", user.publish()),
                    patterns("subscribe", user.subscribe()),
                    Boolean.TRUE.equals(user.link()),
                    Boolean.TRUE.equals(user.operate()),
                    files(user),
                    Optional.ofNullable(user.limits()).map(Limits::limit));
        } catch (IllegalArgumentException e) {
            throw new UsersException(where + e.getMessage(), e);
        }
    }

    private static FileRights files(User user) {
        Optional<List<PathRight>> paths = Optional.ofNullable(user.paths())
                .map(forms ->
                        whole("paths", forms).stream().map(UsersFile::right).toList());
        return new FileRights(user.root() == null ? FileRights.ALL.root() : user.root(), paths);
    }

    private static PathRight right(PathForm form) {
        Right right = Arrays.stream(Right.values())
                .filter(known -> text(known).equals(form.rights()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "rights of path " + form.path() + ": expected read or write, found " + form.rights()));
        return new PathRight(String.valueOf(form.path()), right);
    }

    private static String text(Right right) {
        return right.name().toLowerCase(Locale.ROOT);
    }

    private static void checkName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("user name: expected up to 100 characters that match " + NAME.pattern());
        }
    }

    private static List<TopicPattern> patterns(String field, @Nullable List<String> texts) {
        return texts == null
                ? List.of()
                : whole(field, texts).stream().map(TopicPattern::new).toList();
    }

    /** A dash with nothing behind it is an entry to the reader. */
    private static <T> List<T> whole(String field, List<T> entries) {
        int empty = entries.indexOf(null);
        if (empty >= 0) {
            throw new IllegalArgumentException(
                    field + ": entry " + (empty + 1) + ": expected something, found nothing");
        }
        return entries;
    }

    public Optional<Account> account(String name) {
        return Optional.ofNullable(accounts.get(name));
    }

    /** Returns the names of all users. */
    public Set<String> names() {
        return Set.copyOf(accounts.keySet());
    }

    /** Returns a copy in which the account is added, or takes the place of one of the same name. */
    public UsersFile with(Account account) {
        try {
            checkName(account.name());
        } catch (IllegalArgumentException e) {
            throw new UsersException(String.valueOf(e.getMessage()), e);
        }
        Map<String, Account> copy = new TreeMap<>(accounts);
        copy.put(account.name(), account);
        return new UsersFile(copy);
    }

    /** Returns a copy without the user. */
    public UsersFile without(String name) {
        Map<String, Account> copy = new TreeMap<>(accounts);
        copy.remove(name);
        return new UsersFile(copy);
    }

    /** Takes the place of the file, as after {@link #change}. */
    public void write(Path file) {
        change(file, before -> this);
    }

    /**
     * Reads the file, if there is one, changes what it says and writes it again, as one step: who does the same at the
     * same time waits. A new file is readable by its owner only, one that was there keeps owner, group and permissions.
     * A running broker reads it again by itself.
     *
     * @return the users as they were before
     */
    public static UsersFile change(Path file, UnaryOperator<UsersFile> change) {
        // a device would be gone, were a file put in its place
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new UsersException("users file " + file + ": expected a file, found something else");
        }
        try (UsersFileReplacement replacement = UsersFileReplacement.of(file)) {
            UsersFile before = Files.exists(file) ? read(file) : empty();
            replacement.write(change.apply(before).bytes());
            return before;
        } catch (NoSuchFileException e) {
            throw new UsersException("users file " + file + ": expected a directory to write it in, found none", e);
        } catch (AccessDeniedException e) {
            throw new UsersException(
                    "users file " + file + ": expected a directory that may be written, found no permission", e);
        } catch (IOException e) {
            throw new UsersException("users file " + file + ": cannot be written: " + reason(e), e);
        }
    }

    private byte[] bytes() {
        Map<String, @Nullable User> users = new LinkedHashMap<>();
        accounts.forEach((name, account) -> users.put(
                name,
                new User(
                        account.password().toString(),
                        texts(account.publish()),
                        texts(account.subscribe()),
                        account.mayLink() ? true : null,
                        account.mayOperate() ? true : null,
                        account.files().root().equals(FileRights.ALL.root())
                                ? null
                                : account.files().root(),
                        account.files()
                                .paths()
                                .map(paths -> paths.stream()
                                        .map(path -> new PathForm(path.path(), text(path.right())))
                                        .toList())
                                .orElse(null),
                        account.limit().map(Limits::of).orElse(null))));
        try {
            return YAML.writeValueAsBytes(new Form(users));
        } catch (JacksonException e) {
            throw new IllegalStateException("users cannot be written as YAML", e);
        }
    }

    private static List<String> texts(List<TopicPattern> patterns) {
        return patterns.stream().map(TopicPattern::text).toList();
    }
}
