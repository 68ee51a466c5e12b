package io.longhaul.agent.publish;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.PublishRequest;
import io.longhaul.storage.Direction;
import io.longhaul.storage.RealPath;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.Limits;
import io.longhaul.wire.Manifest;
import io.longhaul.wire.Names;
import io.longhaul.wire.TransferId;
import io.longhaul.wire.WireException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Path;

/**
 * A request whose every part was looked at.
 *
 * @param request the request
 * @param path absolute path of the source as the caller named it; empty for a stream
 * @param name name at the subscribers
 * @param kind what the source is
 * @param stat what the file system says of it; of no file for a stream
 */
record Intake(PublishRequest request, String path, String name, OutgoingDetail.Kind kind, SourceStat stat) {
    private static final String RESERVED = ".longhaul";
    private static final int STREAM_MODE = 0100644;

    /** Looks at the request; throws {@link AgentException} of code USAGE that says what is wrong with it. */
    static Intake of(PublishRequest request, int slotBytes) {
        try {
            Names.topic(request.topic());
            Limits.range("piece size", request.pieceSize(), Limits.MIN_PIECE_SIZE, Limits.MAX_PIECE_SIZE);
            Limits.range("receipts", request.receipts(), 0, Integer.MAX_VALUE);
            request.awaited().forEach(Names::subscription);
            if (request.source().isPresent() == request.stream().isPresent()) {
                throw usage("request: expected either a source or a stream");
            }
            boolean spool = request.spool() || request.stream().isPresent();
            if (spool && request.pieceSize() > slotBytes) {
                throw usage("piece size: expected at most " + slotBytes + " with spool, found " + request.pieceSize());
            }
            Intake intake = request.source().isPresent()
                    ? ofSource(request, request.source().get())
                    : ofStream(request);
            Names.path(intake.name);
            if (intake.name.equals(RESERVED) || intake.name.startsWith(RESERVED + "/")) {
                throw usage("name: " + RESERVED + " is reserved for unfinished transfers");
            }
            return intake;
        } catch (WireException | SourceException e) {
            throw new AgentException(AgentException.Code.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    private static Intake ofSource(PublishRequest request, Path source) {
        if (source.getFileSystem() != FileSystems.getDefault()) {
            throw usage("source " + SourceNames.shown(source) + ": expected a file of this machine, found one of "
                    + source.getFileSystem() + "; publish it as a stream");
        }
        Path absolute = RealPath.withoutDots(source);
        String path = SourceNames.text(absolute);
        SourceStat stat = SourceStat.of(Sources.real(absolute));
        if (!stat.isFile() && !stat.isDirectory()) {
            throw usage(
                    "source " + SourceNames.shown(source) + ": expected a file or a directory, found a " + stat.kind());
        }
        if (absolute.getFileName() == null && request.name().isEmpty()) {
            throw usage("name: expected one for the source " + SourceNames.shown(source));
        }
        String name = nameOf(request, absolute);
        return new Intake(
                request, path, name, stat.isFile() ? OutgoingDetail.Kind.FILE : OutgoingDetail.Kind.TREE, stat);
    }

    private static Intake ofStream(PublishRequest request) {
        String name = request.name().orElseThrow(() -> usage("name: expected one for a stream"));
        return new Intake(
                request, "", name, OutgoingDetail.Kind.STREAM, new SourceStat(STREAM_MODE, SourceIdentity.NONE, 0));
    }

    private static AgentException usage(String message) {
        return new AgentException(AgentException.Code.USAGE, message);
    }

    /** Returns what two requests for the same transfer have in common. */
    String sameness() {
        return sameness(path, request.topic(), name);
    }

    /** Like {@link #sameness()}, of a source that may be gone. */
    static String sameness(Path source, PublishRequest request) {
        Path absolute = RealPath.withoutDots(source);
        return sameness(absolute.toString(), request.topic(), nameOf(request, absolute));
    }

    private static String nameOf(PublishRequest request, Path absolute) {
        return request.name().orElseGet(() -> SourceNames.last(absolute));
    }

    static String sameness(TransferRow row) {
        return sameness(row.path(), row.topic(), row.name());
    }

    private static String sameness(String path, String topic, String name) {
        return path + '\0' + topic + '\0' + name;
    }

    /** Makes a record of a new transfer. */
    OutgoingRecord begin(PublisherContext context) {
        long nowMillis = context.platform().clock().millis();
        boolean stream = kind == OutgoingDetail.Kind.STREAM;
        Manifest manifest = new Manifest(
                TransferId.of(nowMillis, context.platform().random()),
                request.topic(),
                name,
                kind == OutgoingDetail.Kind.TREE,
                request.pieceSize(),
                kind == OutgoingDetail.Kind.FILE ? stat.identity().length() : -1,
                stat.permissions(),
                stream ? nowMillis * 1_000_000 : stat.identity().modifiedNanos(),
                context.agent(),
                nowMillis);
        OutgoingDetail detail = OutgoingDetail.of(new OutgoingDetail.Origin(
                kind,
                stat.identity(),
                stream || request.spool(),
                request.receipts(),
                request.awaited(),
                request.symlinks(),
                request.priority()));
        TransferRow row = new TransferRow(
                context.ledger().newKey(),
                Direction.OUTGOING,
                manifest.transfer().toString(),
                manifest.topic(),
                "",
                name,
                TransferState.SENDING,
                0,
                nowMillis,
                new String(FrameCodec.toJson(manifest), StandardCharsets.UTF_8),
                "",
                path,
                detail.json());
        return OutgoingRecord.fresh(context.ledger(), row, manifest, detail);
    }
}
