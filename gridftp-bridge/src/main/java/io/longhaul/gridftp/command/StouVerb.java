package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.TransferSettings;
import io.longhaul.gridftp.session.Verb;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * {@code STOU [path]} (RFC 959 section 4.1.3): a name that nothing else has, told in the form of RFC 1123 section 4.1.2.9. It is
 * a random one, since one that is free now may be taken by the time that the file is whole.
 */
final class StouVerb implements Verb {
    private static final String UNNAMED = "ftp";

    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        TransferSettings settings = session.settings();
        settings.takeRestart();
        long random = session.context().world().random().nextLong();
        String name =
                (argument.isEmpty() ? UNNAMED : argument) + "." + HexFormat.of().toHexDigits(random);
        WriteRequest request = new WriteRequest(
                session.path(name), Kind.REPLACE, settings.takeAllocation(), List.of(), settings.takeChecksum());
        return Storing.file(session, request, 0, Optional.of("FILE: " + name));
    }
}
