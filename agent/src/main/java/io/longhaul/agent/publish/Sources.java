package io.longhaul.agent.publish;

import io.longhaul.wire.Manifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.BitSet;

/** Opens what a transfer is read from. */
final class Sources {
    private Sources() {}

    /** Starts to read from a source. */
    static ReadAhead start(
            Publishing publishing, Outgoing outgoing, PieceBuffers buffers, int ahead, ReadAhead.Source source) {
        Manifest manifest = outgoing.record().manifest();
        PublisherContext.Platform platform = publishing.context().platform();
        Cutter cutter =
                new Cutter(manifest.transfer(), manifest.pieceSize(), buffers, outgoing.halt(), platform.nanoTime());
        return ReadAhead.start(source, cutter, ahead, outgoing.halt(), platform.executor(), platform.nanoTime());
    }

    /** Opens a file or tree that must still be the one that the transfer began with. */
    static Fragments open(Outgoing outgoing, Cutter cutter) {
        OutgoingDetail.Origin origin = outgoing.record().detail().origin();
        if (origin.kind() == OutgoingDetail.Kind.STREAM) {
            throw new SourceException("the stream ended with the process that read it");
        }
        Path real = real(Path.of(outgoing.record().row().path()));
        SourceStat stat = requireSame(real, origin);
        return origin.kind() == OutgoingDetail.Kind.FILE
                ? FileFragments.open(cutter, real, stat)
                : new TreeFragments(cutter, new TreeWalk(real, stat, origin.symlinks()), outgoing.entries());
    }

    /** Opens a single file for the pieces that are not in the set. */
    static Fragments gaps(Outgoing outgoing, Cutter cutter, BitSet safe) {
        OutgoingDetail.Origin origin = outgoing.record().detail().origin();
        Path real = real(Path.of(outgoing.record().row().path()));
        return GapFragments.open(cutter, real, requireSame(real, origin), safe);
    }

    private static SourceStat requireSame(Path real, OutgoingDetail.Origin origin) {
        SourceStat stat = SourceStat.of(real);
        String difference = origin.identity().difference(stat.identity());
        if (!difference.isEmpty()) {
            throw new SourceException(
                    "source " + SourceNames.shown(real) + " changed since the transfer began: " + difference);
        }
        return stat;
    }

    /** A name that is listed must not be said not to be there. */
    private static String missing(Path source) {
        try {
            return " is a symbolic link to " + SourceNames.shown(Files.readSymbolicLink(source))
                    + ", which does not exist";
        } catch (IOException e) {
            return " does not exist";
        }
    }

    /** Follows links of the name that the caller gave, and only of that. */
    static Path real(Path source) {
        try {
            return source.toRealPath();
        } catch (NoSuchFileException e) {
            throw new SourceException("source " + SourceNames.shown(source) + missing(source), e);
        } catch (IOException e) {
            throw SourceStat.unreadable(source, e);
        }
    }
}
