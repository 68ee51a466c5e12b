package io.longhaul.cli;

import io.longhaul.broker.users.Account;
import io.longhaul.broker.users.FileRights;
import io.longhaul.broker.users.PasswordHash;
import io.longhaul.broker.users.UsersFile;
import io.longhaul.gridftp.Accounts;
import io.longhaul.gridftp.rights.Rights;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Principal;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;

/** The users of a front: those of a file that {@code longhaul user add} writes. Thread-safe. */
final class BridgeAccounts implements Accounts {
    private static final String ANONYMOUS = "anonymous";
    private static final List<Rights.Rule> READ_ONLY = List.of(new Rights.Rule(FilePath.ROOT, Rights.Right.READ));

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
        return anonymous().isPresent();
    }

    /** There is one only where the file says so: an account of that name with a password is like any other. */
    private Optional<Account> anonymous() {
        return users.account(ANONYMOUS).filter(account -> account.password() == PasswordHash.NONE);
    }

    /** Returns what a user may do with files; nothing for one that the file does not have. */
    Rights rights(Principal user) {
        return users.account(user.name())
                .map(account -> rights(account.files(), user.isAnonymous() ? READ_ONLY : Rights.ALL.rules()))
                .orElse(new Rights(FilePath.ROOT, List.of()));
    }

    private static Rights rights(FileRights files, List<Rights.Rule> unsaid) {
        List<Rights.Rule> rules = files.paths()
                .map(paths -> paths.stream()
                        .map(path -> new Rights.Rule(FilePath.of(path.path()), right(path.right())))
                        .toList())
                .orElse(unsaid);
        return new Rights(FilePath.of(files.root()), rules);
    }

    private static Rights.Right right(FileRights.Right right) {
        return switch (right) {
            case READ -> Rights.Right.READ;
            case WRITE -> Rights.Right.WRITE;
        };
    }

    @Override
    public boolean isSomebody(String user) {
        return users.account(user)
                .filter(account -> account.password() != PasswordHash.NONE)
                .isPresent();
    }

    @Override
    public boolean matches(String user, char[] password) {
        Optional<Account> account = users.account(user);
        return account.map(Account::password).orElse(nobody).matches(password) && account.isPresent();
    }
}
