package io.longhaul.agent.receive;

import io.longhaul.agent.Progress;
import io.longhaul.agent.SubscribeRequest;
import io.longhaul.storage.Direction;
import io.longhaul.storage.TransferRow;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.Manifest;
import io.longhaul.wire.Seal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The transfers of one subscription that have not ended, in memory as the ledger has them.
 *
 * <p>Receiver thread only, but for {@link #progress} and {@link #isActive}.
 */
final class IncomingTransfers {
    private static final int REMEMBERED = 10_000;

    private final ReceiverContext context;
    private final SubscribeRequest request;
    private final TargetDirectory target;
    private final Announcer announcer;
    private final Map<String, Incoming> active = new LinkedHashMap<>();
    /** Also of those that were forgotten and are taken up again. */
    private final Map<String, Long> firstSeenNs = new HashMap<>();

    private final Map<String, Progress> snapshots = new ConcurrentHashMap<>();
    private final Map<String, Boolean> ended = remembering();
    /** Rows of transfers of which something has come, but not the manifest. */
    private final Map<String, TransferRow> unseen = remembering();

    IncomingTransfers(ReceiverContext context, SubscribeRequest request, TargetDirectory target, Announcer announcer) {
        this.context = context;
        this.request = request;
        this.target = target;
        this.announcer = announcer;
    }

    private static <T> Map<String, T> remembering() {
        return new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, T> eldest) {
                return size() > REMEMBERED;
            }
        };
    }

    TargetDirectory target() {
        return target;
    }

    String topic() {
        return request.topic();
    }

    /** Returns the name that a transfer gets below the target: an archive keeps each under its own identity. */
    String placeName(Manifest manifest) {
        return request.isArchive() ? manifest.transfer() + "/" + manifest.name() : manifest.name();
    }

    Collection<Incoming> active() {
        return active.values();
    }

    List<Progress> progress() {
        return List.copyOf(snapshots.values());
    }

    boolean isActive(String id) {
        return snapshots.containsKey(id);
    }

    /** Whether it is on its way still, and not another one of its identity after a restart of the work. */
    boolean isCurrent(Incoming incoming) {
        return active.get(incoming.id()) == incoming;
    }

    void tell(Progress progress) {
        snapshots.put(progress.transfer(), progress);
        announcer.progress(progress);
    }

    /** Returns the transfer when it is on its way, from memory or from the ledger. */
    @Nullable
    Incoming find(String id) {
        Incoming known = active.get(id);
        if (known != null || ended.containsKey(id) || unseen.containsKey(id)) {
            return known;
        }
        Optional<TransferRow> row = row(id);
        if (row.isEmpty()) {
            return null;
        }
        if (row.get().state() != TransferState.RECEIVING || !row.get().topic().equals(request.topic())) {
            ended.put(id, true);
            return null;
        }
        if (isUnseen(row.get())) {
            recall(row.get());
            return null;
        }
        return load(row.get());
    }

    /** Whether a row remembers a transfer whose manifest has not come. */
    static boolean isUnseen(TransferRow row) {
        return row.state() == TransferState.RECEIVING && row.manifest().isEmpty();
    }

    /** Makes a transfer whose manifest has not come known in memory, as the ledger has it. */
    void recall(TransferRow row) {
        unseen.put(row.transferId(), row);
    }

    /** Returns the transfers whose manifest has not come, but for those that are too many. */
    List<String> unseen() {
        return List.copyOf(unseen.keySet());
    }

    /** Returns what the ledger has of a transfer that memory knows nothing of. */
    Optional<TransferRow> forgotten(String id) {
        return active.containsKey(id) || ended.containsKey(id)
                ? Optional.empty()
                : row(id).filter(row -> row.topic().equals(request.topic()));
    }

    boolean isEnded(String id) {
        return ended.containsKey(id);
    }

    /** Returns what the ledger has of a transfer that has ended; asked after {@link #find}. */
    Optional<TransferRow> ended(String id) {
        return isEnded(id) ? row(id).filter(row -> row.topic().equals(request.topic())) : Optional.empty();
    }

    private Optional<TransferRow> row(String id) {
        return context.ledger().transfer(Direction.INCOMING, id, request.name());
    }

    /** Returns the seal that came before its manifest; asked after {@link #find}. */
    Optional<Seal> earlySeal(String id) {
        return Optional.ofNullable(unseen.get(id))
                .filter(row -> !row.seal().isEmpty())
                .map(IncomingTransfers::sealOf);
    }

    private static Seal sealOf(TransferRow row) {
        return FrameCodec.fromJson(row.seal().getBytes(StandardCharsets.UTF_8), Seal.class);
    }

    /** Makes a transfer known in memory; its row, the one that it has if any, is for the batch to record. */
    Incoming begin(Manifest manifest, long order) {
        String id = manifest.transfer().toString();
        TransferRow early = unseen.remove(id);
        TransferRow row = new TransferRow(
                early == null ? context.ledger().newKey() : early.key(),
                Direction.INCOMING,
                id,
                request.topic(),
                request.name(),
                manifest.name(),
                TransferState.RECEIVING,
                order == 0 && early != null ? early.order() : order,
                context.clock().millis(),
                new String(FrameCodec.toJson(manifest), StandardCharsets.UTF_8),
                "",
                "",
                IncomingDetail.of(target.root().toString()).toJson());
        Staging staging = new Staging(context.disk(), target.staging(id, request.name()), manifest);
        Incoming incoming = new Incoming(row, manifest, target, staging, new BitSet());
        // left by a process that died before it recorded the transfer
        incoming.resumed = staging.exists();
        return add(incoming);
    }

    /** Returns the row that remembers a transfer which was cancelled before its manifest came. */
    TransferRow cancelledUnseen(String id) {
        TransferRow row = unseenRow(id, TransferState.CANCELLED, 0, "");
        unseen.remove(id);
        ended.put(id, true);
        return row;
    }

    /** Returns the row that remembers a seal which came before its manifest. */
    TransferRow sealedUnseen(Seal seal) {
        String id = seal.transfer().toString();
        TransferRow row =
                unseenRow(id, TransferState.RECEIVING, 0, new String(FrameCodec.toJson(seal), StandardCharsets.UTF_8));
        recall(row);
        return row;
    }

    /**
     * Returns the row that remembers a transfer of which something came, but not the manifest; nothing when that is
     * remembered, or when there are too many of them. Asked after {@link #find}.
     *
     * @param order what the broker may have put on the manifest; 0 when that is not known
     */
    Optional<TransferRow> remember(String id, long order) {
        TransferRow known = unseen.get(id);
        if (known == null ? unseen.size() >= REMEMBERED : order <= known.order()) {
            return Optional.empty();
        }
        TransferRow row = unseenRow(id, TransferState.RECEIVING, order, known == null ? "" : known.seal());
        recall(row);
        return Optional.of(row);
    }

    /** A transfer has one row, whichever frame of it comes first. */
    private TransferRow unseenRow(String id, TransferState state, long order, String seal) {
        TransferRow early = unseen.get(id);
        return new TransferRow(
                early == null ? context.ledger().newKey() : early.key(),
                Direction.INCOMING,
                id,
                request.topic(),
                request.name(),
                "",
                state,
                early == null ? order : Math.max(order, early.order()),
                early == null ? context.clock().millis() : early.createdMillis(),
                "",
                seal,
                "",
                IncomingDetail.of(target.root().toString()).toJson());
    }

    /** Makes a transfer that the ledger knows known in memory. */
    Incoming load(TransferRow row) {
        Manifest manifest = FrameCodec.fromJson(row.manifest().getBytes(StandardCharsets.UTF_8), Manifest.class);
        IncomingDetail detail = IncomingDetail.parse(row.detail());
        TargetDirectory where = targetOf(detail);
        Staging staging = new Staging(context.disk(), where.staging(row.transferId(), row.subscription()), manifest);
        boolean named = row.state() == TransferState.PLACING; // below the directory that the row tells
        TransferRow here = named
                ? row
                : row.withDetail(detail.withInto(where.root().toString()).toJson());
        Incoming incoming =
                new Incoming(here, manifest, where, staging, context.ledger().safePieces(row.key()));
        incoming.resumed = true;
        if (!row.seal().isEmpty()) {
            incoming.seal = sealOf(row);
        }
        incoming.duplicatePieces = detail.counters().duplicatePieces();
        incoming.duplicateBytes = detail.counters().duplicateBytes();
        incoming.repairedBytes = detail.counters().repairedBytes();
        incoming.recount();
        return add(incoming);
    }

    /** A transfer ends where it began, even when the subscription has another directory now. */
    private TargetDirectory targetOf(IncomingDetail detail) {
        Path into = Path.of(detail.into());
        if (into.equals(target.root()) || !Files.isDirectory(into)) {
            return target;
        }
        return TargetDirectory.open(context.disk(), into, context.clock().millis() * 1_000_000);
    }

    private Incoming add(Incoming incoming) {
        long now = context.nanoTime().getAsLong();
        incoming.firstSeenNs = firstSeenNs.computeIfAbsent(incoming.id(), id -> now);
        incoming.lastProgressNs = now;
        active.put(incoming.id(), incoming);
        snapshots.put(incoming.id(), incoming.progress("receiving"));
        return incoming;
    }

    void end(Incoming incoming) {
        active.remove(incoming.id());
        firstSeenNs.remove(incoming.id());
        snapshots.remove(incoming.id());
        ended.put(incoming.id(), true);
    }

    /**
     * Forgets what memory knows beyond the ledger, after a batch has failed; returns what it was about. How far that came is
     * still told, until {@link #forgetProgress}.
     */
    List<String> forgetUnrecorded() {
        List<String> forgotten = new ArrayList<>(unseen.keySet());
        active.values().stream()
                .filter(incoming -> !incoming.handedOver)
                .map(Incoming::id)
                .forEach(forgotten::add);
        forgotten.forEach(active::remove);
        ended.clear();
        unseen.clear();
        return forgotten;
    }

    /** Tells no more of what was forgotten. */
    void forgetProgress() {
        snapshots.keySet().retainAll(active.keySet());
    }
}
