package io.longhaul.gridftp.server;

import io.longhaul.gridftp.client.Credentials;
import io.longhaul.gridftp.spi.Principal;
import java.util.Map;
import java.util.Optional;

/**
 * As whom users of fronts log in at a server.
 *
 * @param users by the name that they have at their front; anybody who is nobody there is {@code anonymous}
 * @param others for everybody else; empty where nobody else may
 */
public record Logins(Map<String, Credentials> users, Optional<Credentials> others) {
    private static final String ANONYMOUS = "anonymous";

    /** Keeps a copy. */
    public Logins {
        users = Map.copyOf(users);
    }

    /** Returns as whom a user logs in, if the user may. */
    Optional<Credentials> of(Principal user) {
        return Optional.ofNullable(users.get(name(user))).or(() -> others);
    }

    static String name(Principal user) {
        return user.isAnonymous() ? ANONYMOUS : user.name();
    }
}
