package io.longhaul.gridftp.session;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.spi.Principal;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Who the client is: USER and PASS. */
public final class Login {
    private static final Set<String> ANONYMOUS = Set.of("anonymous", "ftp");
    private static final int MOST_FAILURES = 3;

    /** Guessing costs at least this long, whatever the machine. */
    private static final int FAILURE_MILLIS = 1000;

    private final SessionContext context;
    private final Session session;
    private Optional<String> named = Optional.empty();
    private Optional<Principal> user = Optional.empty();
    private int failures;
    private boolean isClosed;

    Login(SessionContext context, Session session) {
        this.context = context;
        this.session = session;
    }

    /** Returns who has logged in. */
    public Optional<Principal> user() {
        return user;
    }

    /** Takes the name. */
    public Reply name(String name) {
        if (user.isPresent()) {
            return Reply.of(503, "Already logged in as " + user.get().name() + ".");
        }
        if (name.isEmpty()) {
            return Reply.of(501, "USER: expected a name.");
        }
        boolean hasNoPassword = isAnonymous(name);
        if (context.config().requireTls()
                && !hasNoPassword
                && !session.security().isPrivate()) {
            return Reply.of(530, "Passwords are taken under TLS only: AUTH TLS first.");
        }
        named = Optional.of(name);
        return Reply.of(331, "Password required for " + name + ".");
    }

    /** What was said in clear text was perhaps said by somebody else. */
    void forgetName() {
        named = Optional.empty();
    }

    private boolean isAnonymous(String name) {
        return ANONYMOUS.contains(name.toLowerCase(Locale.ROOT))
                && context.accounts().allowsAnonymous()
                && !context.accounts().isSomebody(name);
    }

    /** Takes the password. */
    public CompletableFuture<Reply> password(String password) {
        if (named.isEmpty()) {
            return CompletableFuture.completedFuture(Reply.of(503, "USER first."));
        }
        String name = named.get();
        named = Optional.empty();
        if (isAnonymous(name)) {
            return CompletableFuture.completedFuture(welcome(new Principal("anonymous", true)));
        }
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        CompletableFuture.supplyAsync(
                        () -> context.accounts().matches(name, password.toCharArray()),
                        context.world().workers())
                .whenComplete((matches, failure) -> session.loop().execute(() -> {
                    if (isClosed) {
                        // nobody would ever give back the user's place
                        reply.complete(Reply.of(421, "The client has left."));
                    } else if (failure == null && matches) {
                        reply.complete(welcome(new Principal(name, false)));
                    } else {
                        session.loop().schedule(() -> reply.complete(refusal()), FAILURE_MILLIS, TimeUnit.MILLISECONDS);
                    }
                }));
        return reply;
    }

    private Reply welcome(Principal principal) {
        if (!principal.isAnonymous() && !context.sessions().login(principal.name())) {
            return Reply.of(421, "Too many sessions of " + principal.name() + ".");
        }
        user = Optional.of(principal);
        session.opened(principal);
        return Reply.of(230, "User " + principal.name() + " logged in.");
    }

    private Reply refusal() {
        failures++;
        if (failures < MOST_FAILURES) {
            return Reply.of(530, "Login incorrect.");
        }
        session.closeAfterReply();
        return Reply.of(421, "Login incorrect, " + failures + " times: closing control connection.");
    }

    /** Frees what the user has taken. */
    void close() {
        isClosed = true;
        user.filter(principal -> !principal.isAnonymous())
                .ifPresent(principal -> context.sessions().logout(principal.name()));
        user = Optional.empty();
    }
}
