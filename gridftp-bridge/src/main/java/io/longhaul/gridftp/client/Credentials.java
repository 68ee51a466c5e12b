package io.longhaul.gridftp.client;

/**
 * Who logs in.
 *
 * @param user name of the account
 * @param password never part of a message
 */
public record Credentials(String user, String password) {
    /** Refuses what cannot be a line of the protocol. */
    public Credentials {
        if (user.isEmpty() || isBroken(user) || isBroken(password)) {
            throw new IllegalArgumentException(
                    "credentials: expected a user and a password without control characters");
        }
    }

    /** Returns those of somebody who is nobody. */
    public static Credentials anonymous() {
        return anonymous("anonymous");
    }

    /** Returns those of somebody who is nobody, by the name that the server has for that. */
    public static Credentials anonymous(String name) {
        return new Credentials(name, "longhaul@");
    }

    private static boolean isBroken(String text) {
        return text.chars().anyMatch(Character::isISOControl);
    }

    @Override
    public String toString() {
        return user;
    }
}
