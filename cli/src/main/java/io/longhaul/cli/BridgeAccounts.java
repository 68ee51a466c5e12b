package io.longhaul.cli;

import io.longhaul.broker.users.Account;
import io.longhaul.broker.users.PasswordHash;
import io.longhaul.broker.users.UsersFile;
import io.longhaul.gridftp.Accounts;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Optional;

/** The users of a front: those of a file that {@code longhaul user add} writes. Thread-safe. */
final class BridgeAccounts implements Accounts {
    private final UsersFile users;

    /** Compared with when there is no such user, so that nobody learns from the time it takes who exists. */
    private final PasswordHash nobody;

    private BridgeAccounts(UsersFile users) {
        this.users = users;
        SecureRandom random = new SecureRandom();
        this.nobody = PasswordHash.of(Long.toHexString(random.nextLong()).toCharArray(), random);
    }

    static BridgeAccounts read(Path file) {
        return new BridgeAccounts(UsersFile.read(file));
    }

    @Override
    public boolean allowsAnonymous() {
        return false;
    }

    @Override
    public boolean matches(String user, char[] password) {
        Optional<Account> account = users.account(user);
        return account.map(Account::password).orElse(nobody).matches(password) && account.isPresent();
    }
}
