package io.longhaul.gridftp.command;

import io.longhaul.gridftp.data.DataChannels;
import io.longhaul.gridftp.data.Listing;
import io.longhaul.gridftp.data.MarkerPeriods;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.TransferSettings;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Source;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What commands that send have in common. */
final class Sending {
    private Sending() {}

    static CompletableFuture<Reply> file(Session session, FilePath path, List<ByteRange> ranges, long shift) {
        TransferSettings settings = session.settings();
        if (settings.isText() && settings.isExtended()) {
            return Replies.now(504, "MODE E carries TYPE I only.");
        }
        DataChannels.Terms terms = new DataChannels.Terms(
                settings.isExtended(), settings.isText(), settings.parallelism(), settings.sending());
        return send(session, () -> session.files().read(path, ranges), terms, shift);
    }

    static CompletableFuture<Reply> lines(Session session, CompletableFuture<List<String>> lines) {
        // what REST said is about the next file, as servers have it: lists have no position to begin at
        TransferSettings settings = session.settings();
        // Lines end as TYPE A wants them from the start.
        DataChannels.Terms terms =
                new DataChannels.Terms(settings.isExtended(), false, settings.parallelism(), MarkerPeriods.NONE);
        return send(session, () -> lines.thenApply(Listing::new), terms, 0);
    }

    private interface Opening {
        CompletableFuture<Source> open();
    }

    private static CompletableFuture<Reply> send(
            Session session, Opening opening, DataChannels.Terms terms, long shift) {
        // it was about a file to come, and this is none
        session.settings().takeAllocation();
        DataChannels data = session.data();
        boolean cached = data.isCached(true);
        boolean pending = session.settings().pendingPassive().isPresent();
        if (!cached && !pending && !data.isPassive() && !data.isActive()) {
            return Replies.now(425, "Use PASV or PORT first.");
        }
        if (terms.isExtended() && !cached && !data.isActive()) {
            return Replies.now(
                    503, "In MODE E who sends connects: use PORT, EPRT or SPOR, not PASV, before a transfer to you.");
        }
        return Opened.on(
                session,
                opening.open(),
                source -> {
                    source.close();
                    return CompletableFuture.completedFuture(null);
                },
                source -> {
                    session.reply(Opened.beginning(cached));
                    return data.send(source, terms, shift);
                });
    }
}
