package io.longhaul.gridftp.post;

import io.longhaul.gridftp.range.ByteRange;
import java.nio.ByteBuffer;
import java.util.List;

/** What endpoints tell each other. Buffers in it are read by {@link ByteBuffer#duplicate} only. */
public sealed interface Message {
    /** Returns what it says. */
    MessageKind kind();

    /**
     * Do this; the same call may come again and is done once.
     *
     * @param number of the call
     * @param text JSON
     */
    record Call(Number128 number, String text) implements Message {
        @Override
        public MessageKind kind() {
            return MessageKind.CALL;
        }
    }

    /**
     * The last word about a call, or how far it is.
     *
     * @param number of the call
     * @param part from 0
     * @param parts of the whole answer, at least 1
     * @param text JSON
     */
    record Answer(Number128 number, int part, int parts, String text) implements Message {
        @Override
        public MessageKind kind() {
            return MessageKind.ANSWER;
        }
    }

    /**
     * The holder has these ranges; nothing is said of others.
     *
     * @param sealedLength how many bytes the whole content has, holes left out; -1 while it grows
     * @param checksum CRC-32C of all of them once it is sealed, else 0
     * @param ranges at most {@value MessageCodec#MAX_RANGES}, ascending
     */
    record Have(Number128 content, long sealedLength, int checksum, List<ByteRange> ranges) implements Message {
        /** Keeps a copy. */
        public Have {
            ranges = List.copyOf(ranges);
        }

        @Override
        public MessageKind kind() {
            return MessageKind.HAVE;
        }

        public boolean isSealed() {
            return sealedLength >= 0;
        }
    }

    /**
     * Send this range.
     *
     * @param length at most {@value MessageCodec#MAX_BLOCK_BYTES}; 0 to be told what there is
     */
    record Pull(Number128 content, long offset, int length) implements Message {
        @Override
        public MessageKind kind() {
            return MessageKind.PULL;
        }
    }

    /**
     * A range of a content.
     *
     * @param length of the range, at most {@value MessageCodec#MAX_BLOCK_BYTES}
     * @param bytes as many as the length; or none, when all of them are zero
     */
    record Block(Number128 content, long offset, int length, ByteBuffer bytes) implements Message {
        @Override
        public MessageKind kind() {
            return MessageKind.BLOCK;
        }

        /** Returns whether all its bytes are zero, and none of them is there. */
        public boolean isZero() {
            return !bytes.hasRemaining();
        }
    }

    /** The holder has no such content, or not any more. */
    record Unknown(Number128 content) implements Message {
        @Override
        public MessageKind kind() {
            return MessageKind.UNKNOWN;
        }
    }
}
