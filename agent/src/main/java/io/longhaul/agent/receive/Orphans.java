package io.longhaul.agent.receive;

import io.longhaul.wire.Frame;
import io.longhaul.wire.Manifest;
import io.longhaul.wire.Names;
import io.longhaul.wire.Piece;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Pieces whose manifest has not come yet, kept for a while and up to a limit.
 *
 * <p>They stay unacknowledged meanwhile. What is given up is acknowledged and missing: the manifest is asked for, and
 * repair brings the pieces. Receiver thread only.
 */
final class Orphans {
    static final long MAX_BYTES = 8L * 1024 * 1024;
    static final long MAX_AGE_NS = 2_000_000_000L;
    private static final int COST_OF_A_PIECE = 1024;

    private final Announcer announcer;
    private final Map<String, Family> families = new LinkedHashMap<>();
    private long bytes;

    /** A piece that waits, with its own copy of the body. */
    record Held(WriteBatch.Slot slot, Piece piece) {}

    private static final class Family {
        final List<Held> held = new ArrayList<>();
        final long sinceNs;
        long bytes;

        Family(long sinceNs) {
            this.sinceNs = sinceNs;
        }
    }

    Orphans(Announcer announcer) {
        this.announcer = announcer;
    }

    /** Keeps a piece; returns what had to be given up for it, which may be acknowledged. */
    List<Held> add(WriteBatch.Slot slot, Piece piece, long nowNs) {
        String id = piece.header().transfer().toString();
        Family family = families.computeIfAbsent(id, i -> new Family(nowNs));
        Piece kept = copy(piece);
        family.held.add(new Held(slot, kept));
        family.bytes += cost(kept);
        bytes += cost(kept);
        List<Held> given = new ArrayList<>();
        while (bytes > MAX_BYTES) {
            given.addAll(giveUp(families.keySet().iterator().next(), "more than " + MAX_BYTES + " bytes wait"));
        }
        return given;
    }

    /** Returns, and forgets, what waits for this frame if it is a manifest. */
    List<Held> of(Frame frame) {
        if (!(frame instanceof Manifest manifest)) {
            return List.of();
        }
        Family family = families.remove(manifest.transfer().toString());
        if (family == null) {
            return List.of();
        }
        bytes -= family.bytes;
        return family.held;
    }

    /** Returns what has waited too long, which may be acknowledged. */
    List<Held> expired(long nowNs) {
        if (families.isEmpty()) {
            return List.of();
        }
        List<String> old = new ArrayList<>();
        families.forEach((id, family) -> {
            if (nowNs - family.sinceNs >= MAX_AGE_NS) {
                old.add(id);
            }
        });
        List<Held> given = new ArrayList<>();
        for (Iterator<String> ids = old.iterator(); ids.hasNext(); ) {
            given.addAll(giveUp(ids.next(), "no manifest came"));
        }
        return given;
    }

    void clear() {
        families.clear();
        bytes = 0;
    }

    private List<Held> giveUp(String id, String why) {
        Family family = families.remove(id);
        if (family == null) {
            return List.of();
        }
        bytes -= family.bytes;
        announcer.notice(family.held.size() + " pieces of unknown transfer " + Names.shown(id) + " were dropped: " + why
                + "; it was published before this subscription, or its manifest is lost, which is asked for");
        return family.held;
    }

    private static Piece copy(Piece piece) {
        ByteBuffer body = ByteBuffer.allocate(piece.body().remaining());
        body.put(piece.body().duplicate()).flip();
        return new Piece(piece.header(), body);
    }

    private static long cost(Piece piece) {
        return (long) COST_OF_A_PIECE + piece.body().remaining();
    }
}
