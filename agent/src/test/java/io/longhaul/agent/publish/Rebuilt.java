package io.longhaul.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.wire.Cancel;
import io.longhaul.wire.Digests;
import io.longhaul.wire.Entry;
import io.longhaul.wire.EntryType;
import io.longhaul.wire.Frame;
import io.longhaul.wire.Manifest;
import io.longhaul.wire.PackCodec;
import io.longhaul.wire.Piece;
import io.longhaul.wire.PieceHeader;
import io.longhaul.wire.Seal;
import io.longhaul.wire.TreeDigest;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/** What a receiver would make of the frames of one transfer, checked against everything they claim. */
final class Rebuilt {
    final List<Manifest> manifests = new ArrayList<>();
    final List<Seal> seals = new ArrayList<>();
    final List<Cancel> cancels = new ArrayList<>();
    final TreeMap<Long, Piece> pieces = new TreeMap<>();
    final TreeMap<Long, Entry> entries = new TreeMap<>();
    private final Map<Long, byte[]> contents = new TreeMap<>();

    static Rebuilt of(List<Frame> frames) {
        Rebuilt rebuilt = new Rebuilt();
        for (Frame frame : frames) {
            if (frame instanceof Manifest manifest) {
                rebuilt.manifests.add(manifest);
            } else if (frame instanceof Seal seal) {
                rebuilt.seals.add(seal);
            } else if (frame instanceof Cancel cancel) {
                rebuilt.cancels.add(cancel);
            } else if (frame instanceof Piece piece) {
                Piece earlier = rebuilt.pieces.put(piece.header().index(), piece);
                assertThat(earlier == null || earlier.header().equals(piece.header()))
                        .isTrue();
            }
        }
        return rebuilt;
    }

    Manifest manifest() {
        assertThat(manifests).hasSize(1);
        return manifests.get(0);
    }

    Seal seal() {
        assertThat(seals).hasSize(1);
        return seals.get(0);
    }

    long count(PieceHeader.Kind kind) {
        return pieces.values().stream()
                .filter(piece -> piece.header().kind() == kind)
                .count();
    }

    /** Returns the bytes of a single file. */
    byte[] file() {
        assertThat(pieces.size()).isEqualTo((int) seal().pieces());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (Piece piece : pieces.values()) {
            assertThat(piece.header().offset()).isEqualTo(out.size());
            out.writeBytes(body(piece));
        }
        byte[] all = out.toByteArray();
        assertThat(seal().length()).isEqualTo(all.length);
        assertThat(seal().digest())
                .isEqualTo(HexFormat.of().formatHex(Digests.sha256().digest(all)));
        return all;
    }

    /** Returns files by path, directories as null content left out; every entry is in {@link #entries}. */
    Map<String, byte[]> tree() {
        assertThat(pieces.size()).isEqualTo((int) seal().pieces());
        for (Piece piece : pieces.values()) {
            assertThat(piece.header().length()).isLessThanOrEqualTo(manifest().pieceSize());
            if (piece.header().kind() == PieceHeader.Kind.PACK) {
                for (PackCodec.Packed packed : PackCodec.decode(piece.body())) {
                    byte[] content = new byte[packed.content().remaining()];
                    packed.content().duplicate().get(content);
                    put(packed.entry(), content, 0);
                }
            } else {
                put(
                        piece.header().entry().orElseThrow(),
                        body(piece),
                        piece.header().offset());
            }
        }
        TreeDigest digest = new TreeDigest();
        entries.values()
                .forEach(entry ->
                        digest.add(entry, Digests.sha256().digest(contents.getOrDefault(entry.number(), new byte[0]))));
        assertThat(seal().entries()).isEqualTo(entries.size());
        assertThat(seal().digest()).isEqualTo(digest.hex());
        Map<String, byte[]> files = new TreeMap<>();
        entries.values().stream()
                .filter(entry -> entry.type() == EntryType.FILE)
                .forEach(entry -> files.put(entry.path(), contents.getOrDefault(entry.number(), new byte[0])));
        return files;
    }

    private void put(Entry entry, byte[] bytes, long offset) {
        entries.put(entry.number(), entry);
        byte[] whole = contents.computeIfAbsent(entry.number(), number -> new byte[(int) entry.length()]);
        System.arraycopy(bytes, 0, whole, (int) offset, bytes.length);
    }

    private static byte[] body(Piece piece) {
        byte[] bytes = new byte[piece.header().length()];
        if (piece.header().kind() != PieceHeader.Kind.HOLE) {
            piece.body().duplicate().get(bytes);
        } else {
            Arrays.fill(bytes, (byte) 0);
        }
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.wrap(bytes));
        assertThat((int) crc.getValue()).isEqualTo(piece.header().crc32c());
        return bytes;
    }
}
