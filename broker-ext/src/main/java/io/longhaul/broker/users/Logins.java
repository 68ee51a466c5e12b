package io.longhaul.broker.users;

import io.longhaul.wire.Names;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who is who, as the users file says now.
 *
 * <p>A password that was right is remembered as a keyed digest until the user has another one in the file, because the server
 * asks again and again. An address from which {@value #MOST_FAILURES} different logins fail in {@value #PERIOD_SECONDS} s
 * is refused without a look for the rest of that time: guessing stays slow and costs no hashing. Whoever repeats one wrong
 * login does not guess: an agent does so whose user was removed, and must not shut others out. Thread-safe; only {@link #look}
 * hashes, and so takes a while.
 */
public final class Logins {
    private static final Logger LOG = LoggerFactory.getLogger(Logins.class);
    private static final int MOST_FAILURES = 10;
    private static final int PERIOD_SECONDS = 10;
    private static final int MOST_ADDRESSES = 1000;

    private final Path file;
    private final LongSupplier nanoTime;
    private final PasswordHash nobody;
    private final byte[] key = new byte[32];
    private final Map<String, Known> known = new ConcurrentHashMap<>();
    private final Map<String, Failures> failures = new LinkedHashMap<>(); // guarded by itself
    private volatile UsersFile users;
    private volatile Stamp stamp;

    private record Stamp(
            long modifiedMillis, long size, @Nullable Object fileKey) {}

    /** A password that was right, and what it was compared with: it counts for nothing once the file has something else. */
    private record Known(PasswordHash hash, byte[] digest) {}

    /** What failed from an address, compared with these users, since then. */
    private record Failures(UsersFile users, long sinceNs, Set<ByteBuffer> digests) {}

    private Logins(Path file, UsersFile users, Stamp stamp, LongSupplier nanoTime, RandomGenerator random) {
        this.file = file;
        this.users = users;
        this.stamp = stamp;
        this.nanoTime = nanoTime;
        random.nextBytes(key);
        this.nobody = PasswordHash.of(new char[] {'x'}, random);
    }

    /** Reads the file; throws {@link UsersException} when that fails. */
    public static Logins of(Path file, LongSupplier nanoTime, RandomGenerator random) {
        Stamp stamp = stampOf(file);
        return new Logins(file, UsersFile.read(file), stamp, nanoTime, random);
    }

    private static Stamp stampOf(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new Stamp(attributes.lastModifiedTime().toMillis(), attributes.size(), attributes.fileKey());
        } catch (IOException e) {
            return new Stamp(0, -1, null);
        }
    }

    /** Reads the file again when it has changed; a faulty one is told, and the users known before stay. */
    public void refresh() {
        Stamp now = stampOf(file);
        if (now.equals(stamp)) {
            return;
        }
        stamp = now;
        try {
            users = UsersFile.read(file);
            known.entrySet()
                    .removeIf(entry -> !isStill(entry.getKey(), entry.getValue().hash()));
            LOG.info("users file {}: read again, {} users", file, users.names().size());
        } catch (UsersException e) {
            LOG.warn("{}; the users known before stay", e.getMessage());
        }
    }

    /**
     * What came of a login.
     *
     * @param account whose it is; empty when it was refused
     * @param unheard why it was refused without a look, so that it may be right all the same; empty otherwise
     */
    public record Look(Optional<Account> account, Optional<String> unheard) {
        private static final Look WRONG = new Look(Optional.empty(), Optional.empty());

        /** Returns the refusal of a login that is not looked at. */
        public static Look unheard(String why) {
            return new Look(Optional.empty(), Optional.of(why));
        }

        private static Look right(Account account) {
            return new Look(Optional.of(account), Optional.empty());
        }
    }

    /** Looks at a login, also by hashing; costs the same whether the user exists or not. */
    public Look look(String name, String password, String address) {
        UsersFile now = users;
        byte[] digest = digest(name, password);
        Optional<Look> before = glance(name, digest, address, now);
        if (before.isPresent()) {
            return before.get();
        }
        Optional<Account> account = now.account(name);
        PasswordHash hash = account.map(Account::password).orElse(nobody);
        if (hash.matches(password.toCharArray()) && account.isPresent()) {
            known.put(name, new Known(hash, digest));
            // a look takes a while: what the file says since then counts
            return isStill(name, hash) ? Look.right(account.get()) : look(name, password, address);
        }
        failed(name, address, now, digest);
        return Look.WRONG;
    }

    /** Looks at a login as far as that needs no hashing; empty when only {@link #look} can tell. */
    public Optional<Look> glance(String name, String password, String address) {
        return glance(name, digest(name, password), address, users);
    }

    private Optional<Look> glance(String name, byte[] digest, String address, UsersFile now) {
        Optional<Look> refusal = shutOut(address, now, digest);
        return refusal.isPresent() ? refusal : recall(name, digest, now).map(Look::right);
    }

    /**
     * Returns the account of somebody who has logged in before, with this password, as long as it is right. For who is in
     * already: it minds no limit, so that whoever may ask could guess.
     */
    public Optional<Account> recall(String name, String password) {
        return recall(name, digest(name, password), users);
    }

    private Optional<Account> recall(String name, byte[] digest, UsersFile now) {
        Known right = known.get(name);
        return right != null && MessageDigest.isEqual(right.digest(), digest)
                ? now.account(name).filter(account -> account.password().isSame(right.hash()))
                : Optional.empty();
    }

    private boolean isStill(String name, PasswordHash hash) {
        return users.account(name).filter(now -> now.password().isSame(hash)).isPresent();
    }

    /** Returns the account as the file has it now. */
    public Optional<Account> account(String name) {
        return users.account(name);
    }

    /** Returns all users as the file has them now; the same object until it is read again. */
    public UsersFile users() {
        return users;
    }

    private byte[] digest(String name, String password) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(key);
            sha.update(name.getBytes(StandardCharsets.UTF_8));
            sha.update((byte) 0);
            return sha.digest(password.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java lacks SHA-256", e);
        }
    }

    /** Returns the refusal of a login that is not looked at; one that has failed already would fail again. */
    private Optional<Look> shutOut(String address, UsersFile now, byte[] digest) {
        synchronized (failures) {
            Failures past = failures.get(address);
            if (past == null || !counts(past, now)) {
                return Optional.empty();
            }
            if (past.digests().contains(ByteBuffer.wrap(digest))) {
                return Optional.of(Look.WRONG);
            }
            return past.digests().size() >= MOST_FAILURES
                    ? Optional.of(Look.unheard(
                            "too many logins from " + address + " have failed; expected fewer, or a while between"))
                    : Optional.empty();
        }
    }

    /** Returns whether what failed would fail again, and is not too long ago. */
    private boolean counts(Failures past, UsersFile now) {
        return past.users() == now
                && nanoTime.getAsLong() - past.sinceNs()
                        <= Duration.ofSeconds(PERIOD_SECONDS).toNanos();
    }

    private void failed(String name, String address, UsersFile now, byte[] digest) {
        int count;
        synchronized (failures) {
            Failures past = failures.remove(address);
            Failures all =
                    past != null && counts(past, now) ? past : new Failures(now, nanoTime.getAsLong(), new HashSet<>());
            all.digests().add(ByteBuffer.wrap(digest));
            count = all.digests().size();
            failures.put(address, all);
            if (failures.size() > MOST_ADDRESSES) {
                failures.remove(failures.keySet().iterator().next());
            }
        }
        if (count == 1 || count == MOST_FAILURES) {
            LOG.warn("login of user {} from {} refused: unknown user or wrong password", Names.shown(name), address);
        }
    }
}
