package io.longhaul.gridftp.command;

import io.longhaul.gridftp.data.Arrival;
import io.longhaul.gridftp.data.DataChannels;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.TransferSettings;
import io.longhaul.gridftp.spi.Copies;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.spi.WriteRequest.Kind;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What commands that receive have in common. */
final class Storing {
    private Storing() {}

    static CompletableFuture<Reply> file(Session session, WriteRequest request, long offset) {
        return file(session, request, offset, Optional.empty());
    }

    /** As {@link #file(Session, WriteRequest, long)}, with other words where the transfer begins. */
    static CompletableFuture<Reply> file(
            Session session, WriteRequest request, long offset, Optional<String> beginning) {
        DataChannels data = session.data();
        TransferSettings settings = session.settings();
        boolean cached = data.isCached(false);
        boolean pending = settings.pendingPassive().isPresent();
        if (!cached && !pending && !data.isPassive() && !data.isActive()) {
            return Replies.now(425, "Use PASV or PORT first.");
        }
        boolean extended = settings.isExtended();
        if (extended && settings.isText()) {
            return Replies.now(504, "MODE E carries TYPE I only.");
        }
        if (extended && !cached && data.isActive()) {
            return Replies.now(
                    503, "In MODE E who sends connects: use PASV, EPSV or SPAS, not PORT, before a transfer from you.");
        }
        DataChannels.Terms terms =
                new DataChannels.Terms(extended, settings.isText(), settings.parallelism(), settings.receiving());
        boolean restarted = request.kind() == Kind.RESUME || request.kind() == Kind.RESTART;
        boolean mayResume = restarted || extended && request.kind() == Kind.REPLACE;
        // line ends change the number of bytes, so that nothing can be compared with it
        long expected = settings.isText() || restarted ? 0 : request.expectedBytes();
        // ALLO is a hint: a file may have become shorter since; in MODE E nothing else tells of blocks that are lost at
        // the end
        boolean mayBeFewer = !extended || request.kind() == Kind.OVERLAY;
        return Opened.on(
                session,
                opened(session, request.withQuorum(settings.quorum())),
                sink -> restarted ? sink.suspend() : sink.abort(),
                sink -> {
                    Reply plain = Opened.beginning(cached);
                    session.reply(beginning
                            .map(words -> Reply.of(plain.code(), words))
                            .orElse(plain));
                    return data.receive(
                            new Arrival(
                                    sink,
                                    offset,
                                    request.present(),
                                    expected,
                                    mayBeFewer,
                                    settings.isText(),
                                    mayResume),
                            terms);
                });
    }

    private static CompletableFuture<Sink> opened(Session session, WriteRequest request) {
        Copies copies = session.settings().copies();
        return copies.isNone()
                ? session.files().write(request)
                : session.context().backends().write(session.files(), request, copies);
    }
}
