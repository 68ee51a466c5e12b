package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.security.Tls;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import io.netty.handler.ssl.SslContext;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** {@code AUTH TLS} (RFC 4217 section 4). */
final class AuthVerb implements Verb {
    private static final Set<String> KNOWN = Set.of("TLS", "TLS-C", "TLS-P", "SSL");

    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        String mechanism = argument.strip().toUpperCase(Locale.ROOT);
        Optional<SslContext> tls = session.context().config().tls();
        if (!KNOWN.contains(mechanism) || tls.isEmpty()) {
            return Replies.now(504, "Unknown authentication type.");
        }
        if (session.security().isPrivate()) {
            return Replies.now(503, "Already protected.");
        }
        if (session.login().user().isPresent()) {
            return Replies.now(503, "AUTH comes before USER.");
        }
        if (session.hasMore()) {
            session.closeAfterReply();
            return Replies.now(503, "More came in clear text behind AUTH: closing control connection.");
        }
        session.startTls(tls.get(), new Tls(tls.get()));
        return Replies.now(234, "Ready for TLS.");
    }

    @Override
    public boolean isForStrangers() {
        return true;
    }
}
