package io.longhaul.agent.receive;

import io.longhaul.agent.Progress;
import io.longhaul.storage.TransferRow;
import io.longhaul.wire.Entry;
import io.longhaul.wire.Manifest;
import io.longhaul.wire.Seal;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One transfer on its way into this agent.
 *
 * <p>Belongs to the receiver thread until everything is here, then to the finisher until it is over or found damaged.
 */
final class Incoming {
    private static final int ENTRIES_REMEMBERED = 1024;

    final Manifest manifest;
    final Staging staging;
    final TargetDirectory target;
    /** Pieces that are written, though perhaps not durable yet. */
    final BitSet have;
    /** Pieces that arrived damaged and have not come again. */
    final BitSet damaged = new BitSet();
    /** Files whose bytes are hashed as they pass; the single file is entry 0. */
    final Map<Long, SequentialDigest> digests = new HashMap<>();
    /** Digests of large files of a tree that passed as a whole through this process. */
    final Map<Long, byte[]> passed = new HashMap<>();

    final Map<Long, Entry> entries = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, io.longhaul.wire.Entry> eldest) {
            return size() > ENTRIES_REMEMBERED;
        }
    };
    /** Whether bytes of another life may lie where pieces are still missing, and the passing bytes are not all. */
    boolean resumed;
    /** Whether only repairs will bring its pieces, since the subscription is younger. */
    boolean retained;
    /** Whether a message of it was damaged that may have been its seal. */
    boolean sealInDoubt;
    /** Whether everything is here, as far as the receiver thread knows. */
    boolean finishing;
    /** Whether that is durable and the finisher has it. */
    volatile boolean handedOver;

    TransferRow row;

    @Nullable
    Seal seal;

    long bytes;
    long duplicatePieces;
    long duplicateBytes;
    long repairedBytes;
    long firstSeenNs;
    long lastProgressNs;
    long lastToldNs;
    long placingSinceNs;
    /** Whether this process gave it its name: then nothing needs to be left of it in staging. */
    boolean placed;

    Incoming(TransferRow row, Manifest manifest, TargetDirectory target, Staging staging, BitSet have) {
        this.row = row;
        this.manifest = manifest;
        this.target = target;
        this.staging = staging;
        this.have = have;
    }

    /** What has passed may not be what lies on the disk: all of it is to be read back. */
    void distrustPassed() {
        resumed = true;
        digests.clear();
        passed.clear();
    }

    String id() {
        return row.transferId();
    }

    /** Returns the seal of a transfer that is all here. */
    Seal sealed() {
        return Objects.requireNonNull(seal, "a transfer that is all here has its seal");
    }

    boolean isWhole() {
        return seal != null && have.cardinality() == seal.pieces();
    }

    /** Whether it is known that pieces are not here. */
    boolean isLacking() {
        return !finishing && (!damaged.isEmpty() || seal != null && !isWhole());
    }

    /** Counts the bytes of the pieces that are here; those of a tree as if all its pieces were full. */
    void recount() {
        long whole = manifest.length();
        bytes = (long) have.cardinality() * manifest.pieceSize();
        if (whole > 0) {
            int last = (int) ((whole - 1) / manifest.pieceSize());
            bytes -= have.get(last) ? (last + 1L) * manifest.pieceSize() - whole : 0;
        }
    }

    /** Returns the pieces that are not here; empty while their number is unknown. */
    BitSet missing() {
        BitSet missing = new BitSet();
        if (seal != null) {
            missing.set(0, (int) seal.pieces());
            missing.andNot(have);
        }
        return missing;
    }

    /** Returns the detail with what has been counted and timed until now. */
    IncomingDetail detail(long nowNs) {
        IncomingDetail kept = IncomingDetail.parse(row.detail());
        IncomingDetail.Seconds seconds = kept.seconds();
        return kept.withCounters(new IncomingDetail.Counters(duplicatePieces, duplicateBytes, repairedBytes))
                .withSeconds(new IncomingDetail.Seconds(
                        Math.max(seconds.receive(), (nowNs - firstSeenNs) / 1e9), seconds.verify(), seconds.place()));
    }

    Progress progress(String phase) {
        Seal known = seal;
        long total = known != null ? known.length() : manifest.length();
        // a tree's pieces also carry what its entries are, which its length does not count
        long safe = total < 0 ? bytes : Math.min(total, bytes);
        return new Progress(id(), manifest.name(), total, safe, duplicatePieces, duplicateBytes, repairedBytes, phase);
    }
}
