package io.longhaul.agent.receive;

import io.longhaul.wire.Digests;
import io.longhaul.wire.Entry;
import io.longhaul.wire.EntryType;
import io.longhaul.wire.Frame;
import io.longhaul.wire.Manifest;
import io.longhaul.wire.PackCodec;
import io.longhaul.wire.Piece;
import io.longhaul.wire.PieceHeader;
import io.longhaul.wire.Seal;
import io.longhaul.wire.TransferId;
import io.longhaul.wire.TreeDigest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.zip.CRC32C;

/** The frames of one transfer, as an honest publisher makes them. */
record Shipment(Manifest manifest, List<Piece> pieces, Seal seal) {
    static final String TOPIC = "climate";
    static final int PIECE = 4096;
    static final long MODIFIED = 1_700_000_000_123_456_000L;
    private static final byte[] NOTHING = Digests.sha256().digest();

    static TransferId id(long number) {
        return new TransferId(0xabcdL, number);
    }

    static byte[] random(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    static Manifest manifest(long number, String name, boolean tree, long length) {
        return new Manifest(id(number), TOPIC, name, tree, PIECE, length, tree ? 0750 : 0640, MODIFIED, "publisher", 1);
    }

    static Shipment file(long number, String name, byte[] content) {
        Manifest manifest = manifest(number, name, false, content.length);
        List<Piece> pieces = new ArrayList<>();
        for (int offset = 0; offset < content.length; offset += PIECE) {
            byte[] body = Arrays.copyOfRange(content, offset, Math.min(content.length, offset + PIECE));
            pieces.add(range(manifest.transfer(), pieces.size(), offset, body, Optional.empty()));
        }
        String digest = hex(content);
        return new Shipment(manifest, pieces, new Seal(id(number), content.length, digest, pieces.size(), 1));
    }

    static String hex(byte[] content) {
        return HexFormat.of().formatHex(Digests.sha256().digest(content));
    }

    /** A range, or a hole where all bytes are zero. */
    static Piece range(TransferId id, long index, long offset, byte[] body, Optional<Entry> entry) {
        boolean hole = true;
        for (byte each : body) {
            hole &= each == 0;
        }
        PieceHeader header = new PieceHeader(
                id,
                index,
                hole ? PieceHeader.Kind.HOLE : PieceHeader.Kind.RANGE,
                offset,
                body.length,
                crc(body),
                entry);
        return new Piece(header, ByteBuffer.wrap(hole ? new byte[0] : body));
    }

    static int crc(byte[] body) {
        CRC32C crc = new CRC32C();
        crc.update(body);
        return (int) crc.getValue();
    }

    static Piece pack(TransferId id, long index, byte[] body) {
        return new Piece(
                new PieceHeader(id, index, PieceHeader.Kind.PACK, 0, body.length, crc(body), Optional.empty()),
                ByteBuffer.wrap(body));
    }

    static Entry directory(String path) {
        return new Entry(0, path, EntryType.DIRECTORY, 0755, MODIFIED, 0, "");
    }

    static Entry link(String path, String target) {
        return new Entry(0, path, EntryType.SYMLINK, 0777, MODIFIED, 0, target);
    }

    /** An entry of a tree with its content. */
    record Node(Entry entry, byte[] content) {
        static Node file(String path, byte[] content) {
            return new Node(new Entry(0, path, EntryType.FILE, 0644, MODIFIED, content.length, ""), content);
        }

        static Node of(Entry entry) {
            return new Node(entry, new byte[0]);
        }

        Node numbered(long number) {
            Entry e = entry;
            return new Node(
                    new Entry(number, e.path(), e.type(), e.mode(), e.modifiedNanos(), e.length(), e.target()),
                    content);
        }
    }

    static Shipment tree(long number, String name, List<Node> nodes) {
        List<Piece> pieces = new ArrayList<>();
        ByteBuffer pack = ByteBuffer.allocate(PIECE);
        TreeDigest digest = new TreeDigest();
        long bytes = 0;
        long entries = 0;
        for (Node unnumbered : nodes) {
            Node node = unnumbered.numbered(entries++);
            bytes += node.content().length;
            digest.add(
                    node.entry(),
                    node.content().length == 0 ? NOTHING : Digests.sha256().digest(node.content()));
            if (node.content().length >= PIECE / 4) {
                for (int offset = 0; offset < node.content().length; offset += PIECE) {
                    byte[] body =
                            Arrays.copyOfRange(node.content(), offset, Math.min(node.content().length, offset + PIECE));
                    pieces.add(range(id(number), pieces.size(), offset, body, Optional.of(node.entry())));
                }
                continue;
            }
            if (PackCodec.size(node.entry()) > pack.remaining()) {
                pieces.add(pack(id(number), pieces.size(), taken(pack)));
            }
            PackCodec.append(pack, node.entry(), ByteBuffer.wrap(node.content()));
        }
        if (pack.position() > 0) {
            pieces.add(pack(id(number), pieces.size(), taken(pack)));
        }
        Seal seal = new Seal(id(number), bytes, digest.hex(), pieces.size(), entries);
        return new Shipment(manifest(number, name, true, -1), pieces, seal);
    }

    static byte[] taken(ByteBuffer pack) {
        byte[] body = Arrays.copyOf(pack.array(), pack.position());
        pack.clear();
        return body;
    }

    Shipment withManifest(Manifest other) {
        return new Shipment(other, pieces, seal);
    }

    List<Frame> frames() {
        List<Frame> frames = new ArrayList<>();
        frames.add(manifest);
        frames.addAll(pieces);
        frames.add(seal);
        return frames;
    }
}
