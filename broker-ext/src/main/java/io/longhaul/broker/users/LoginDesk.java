package io.longhaul.broker.users;

import io.longhaul.broker.users.Logins.Look;
import io.longhaul.wire.Names;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Takes logins and answers later, so that nobody else waits for a password that is compared.
 *
 * <p>Whoever was here before, and whoever is refused anyway, is answered at once, on the thread that asks: neither has to stand
 * behind a crowd. The others wait for {@link LoginThreads}; when too many do, a login is refused unheard, and told so.
 * Thread-safe.
 */
public final class LoginDesk implements AutoCloseable {
    private final Logins logins;
    private final LoginThreads threads;
    private final BiConsumer<String, String> log;

    /** A login from an address. */
    public record Login(String name, String password, String address) {
        @Override
        public String toString() {
            return "Login[name=" + name + ", address=" + address + "]";
        }
    }

    /** Who wants to log in. */
    public interface Caller {
        /** Returns whether an answer is still wanted; it is not when the connection has ended meanwhile. */
        boolean isWaiting();

        /** Takes what came of it, once, on the thread that asked or on one of the desk's; must not block. */
        void answer(Look look);
    }

    /**
     * Makes a desk, which closes the threads.
     *
     * @param log takes the kind of a warning, and the warning
     */
    public LoginDesk(Logins logins, LoginThreads threads, BiConsumer<String, String> log) {
        this.logins = logins;
        this.threads = threads;
        this.log = log;
    }

    public Logins logins() {
        return logins;
    }

    /** Looks at a login and tells the caller, unless that one has gone by then; never hashes on this thread. */
    public void take(Login login, Caller caller) {
        Optional<Look> known = logins.glance(login.name(), login.password(), login.address());
        if (known.isPresent()) {
            caller.answer(known.get());
        } else if (!threads.offer(() -> look(login, caller))) {
            String why = threads.mostWaiting() + " logins wait already; expected fewer, or a while between";
            log.accept(
                    "logins",
                    "login of user " + Names.shown(login.name()) + " from " + login.address() + " refused unheard: "
                            + why);
            caller.answer(Look.unheard(why));
        }
    }

    /** Nobody hashes for who has given up. */
    private void look(Login login, Caller caller) {
        if (caller.isWaiting()) {
            caller.answer(logins.look(login.name(), login.password(), login.address()));
        }
    }

    @Override
    public void close() {
        threads.close();
    }
}
