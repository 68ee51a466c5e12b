package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.TransferSettings;
import io.longhaul.gridftp.session.Verb;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code ESTO A offset path} (GFD.20 section 3.1): what is beside the part stays. */
final class EstoVerb implements Verb {
    private static final Pattern PART = Pattern.compile("(?s)[Aa] +([0-9]{1,18}) (.+)");

    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        TransferSettings settings = session.settings();
        settings.takeRestart();
        Matcher part = PART.matcher(argument);
        if (!part.matches()) {
            return Replies.now(501, "ESTO: expected A OFFSET PATH.");
        }
        long offset = Long.parseLong(part.group(1));
        WriteRequest request = new WriteRequest(
                session.path(part.group(2)),
                Kind.OVERLAY,
                settings.takeAllocation(),
                List.of(),
                settings.takeChecksum());
        return Storing.file(session, request.from(offset), offset);
    }
}
