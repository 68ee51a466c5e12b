package io.longhaul.wire;

/**
 * What is known of a transfer when it starts.
 *
 * @param transfer identity of the transfer
 * @param topic topic that it is published to
 * @param name relative path of the file or tree in a subscriber's directory
 * @param tree whether it is a tree of files; otherwise one file
 * @param pieceSize bytes of every piece of a file but its last, {@link Limits#MIN_PIECE_SIZE}..{@link Limits#MAX_PIECE_SIZE}
 * @param length bytes of the file, or -1 when not known yet (a stream, a tree)
 * @param mode permission bits of the file or of the tree's top directory
 * @param modifiedNanos modification time of the same, nanoseconds since the epoch
 * @param publisher name of the publishing agent, whose inbox takes repair requests
 * @param publishedMillis the publisher's clock, milliseconds since the epoch; for people, never for ordering
 */
public record Manifest(
        TransferId transfer,
        String topic,
        String name,
        boolean tree,
        int pieceSize,
        long length,
        int mode,
        long modifiedNanos,
        String publisher,
        long publishedMillis)
        implements Frame {
    public Manifest {
        Names.topic(topic);
        Names.path(name);
        Limits.range("piece size", pieceSize, Limits.MIN_PIECE_SIZE, Limits.MAX_PIECE_SIZE);
        Limits.range("length", length, -1, Limits.MAX_LENGTH);
        Limits.range("mode", mode, 0, 07777);
        Names.agent(publisher);
        if (length > 0) {
            Limits.range("pieces of the file", (length - 1) / pieceSize + 1, 1, Limits.MAX_PIECES);
        }
    }

    @Override
    public FrameType type() {
        return FrameType.MANIFEST;
    }
}
