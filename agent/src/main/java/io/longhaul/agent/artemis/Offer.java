package io.longhaul.agent.artemis;

import io.longhaul.agent.link.Link;
import io.longhaul.agent.link.OfferListener;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.Frame;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.Parcel;
import io.longhaul.wire.Piece;

/** A frame on its way to the broker. Mutable fields: guarded by its {@link SendWindow}. */
final class Offer {
    private static final int CONTROL_BYTES = 1024;
    /** A broker at its disk's floor takes less than 16 KiB, of which addresses and properties take some. */
    private static final int LONGEST_WORD = 14 * 1024;

    final long sequence;
    final String address;
    final Frame frame;
    final String deduplication;
    final int priority;
    final OfferListener listener;
    private final boolean word;
    boolean sent;
    boolean decided;

    Offer(long sequence, String address, Frame frame, String deduplication, int priority, OfferListener listener) {
        this.sequence = sequence;
        this.address = address;
        this.frame = frame;
        this.deduplication = deduplication;
        this.priority = priority;
        this.listener = listener;
        this.word = !(frame instanceof Piece)
                && !(frame instanceof Parcel)
                && !address.startsWith(Addresses.TOPIC_PREFIX)
                && FrameCodec.toJson(frame).length <= LONGEST_WORD;
    }

    /** Returns what it takes of the window. */
    int bytes() {
        if (frame instanceof Piece piece) {
            return CONTROL_BYTES + piece.body().remaining();
        }
        return CONTROL_BYTES + (frame instanceof Parcel parcel ? parcel.body().remaining() : 0);
    }

    /** Returns whether a broker takes it also at its disk's floor: receipts, grants, short questions and answers. */
    boolean isWord() {
        return word;
    }

    /** Returns whether it goes before what others of the same sender have in the window. */
    boolean isUrgent() {
        return priority > Link.NORMAL_PRIORITY;
    }
}
