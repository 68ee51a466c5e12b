package io.longhaul.gridftp.spi;

import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.range.ByteRanges;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How bytes are to become part of a file.
 *
 * @param path of the file
 * @param kind what happens to the bytes that are there already
 * @param expectedBytes how many will come; 0 when nobody said. A back end may refuse early when it has no room
 * @param present with {@link Kind#RESUME} and {@link Kind#RESTART}: bytes that the sender takes for granted
 * @param checksum that the file must have before it becomes visible
 * @param quorum for a file that goes to many: how many must have it; empty for what the back end was set up with
 * @param origin position of the first byte of those that will come, which may come in any order; empty where nobody knows, and
 *     they come in ascending order
 */
public record WriteRequest(
        FilePath path,
        Kind kind,
        long expectedBytes,
        List<ByteRange> present,
        Optional<Checksum> checksum,
        Optional<Quorum> quorum,
        OptionalLong origin) {
    /** What happens to the bytes that are there already. */
    public enum Kind {
        /** The file will have the bytes that are written and no others. */
        REPLACE,
        /** The bytes take the place of those at their positions; others stay. The file is made when there is none. */
        OVERLAY,
        /** Position 0 is the end that the file has when the write is committed. The file is made when there is none. */
        APPEND,
        /** As {@link #REPLACE}, going on with what a suspended write left, and with nothing else. */
        RESUME,
        /**
         * As {@link #RESUME}; where no suspended write left anything as {@link #OVERLAY}, if the file has the bytes that
         * are taken for granted, and is still the same when the write is committed. A file that a write over it left as
         * it was has only the bytes that this write took for granted.
         */
        RESTART
    }

    /**
     * A checksum of a whole file.
     *
     * @param digits hexadecimal, in any case
     */
    public record Checksum(ChecksumAlgorithm algorithm, String digits) {
        /**
         * Throws unless the file has it; with the lines that Globus servers say then.
         *
         * @param what names the file in the failure
         * @param found digits of the file
         */
        public void demand(String what, String found) {
            if (!found.equalsIgnoreCase(digits)) {
                throw new BackendException(
                        BackendException.Code.BAD_CHECKSUM,
                        what + ": " + algorithm + ": expected " + digits + ", found " + found,
                        List.of("GridFTP-Computed-Checksum: " + found, "GridFTP-Expected-Checksum: " + digits));
            }
        }
    }

    /** Keeps a copy. */
    public WriteRequest {
        present = List.copyOf(present);
    }

    /** Makes a request that leaves the quorum to the back end. Where an {@link Kind#OVERLAY} begins is to be said. */
    public WriteRequest(
            FilePath path, Kind kind, long expectedBytes, List<ByteRange> present, Optional<Checksum> checksum) {
        this(path, kind, expectedBytes, present, checksum, Optional.empty(), origin(kind, present));
    }

    private static OptionalLong origin(Kind kind, List<ByteRange> present) {
        return switch (kind) {
            case REPLACE, APPEND -> OptionalLong.of(0);
            case RESTART -> OptionalLong.of(ByteRanges.of(present).end());
            case OVERLAY, RESUME -> OptionalLong.empty();
        };
    }

    /** Returns the same for another path. */
    public WriteRequest withPath(FilePath other) {
        return new WriteRequest(other, kind, expectedBytes, present, checksum, quorum, origin);
    }

    /** Returns the same with another quorum. */
    public WriteRequest withQuorum(Optional<Quorum> other) {
        return new WriteRequest(path, kind, expectedBytes, present, checksum, other, origin);
    }

    /** Returns the same for bytes of which the first one belongs there. */
    public WriteRequest from(long position) {
        return new WriteRequest(path, kind, expectedBytes, present, checksum, quorum, OptionalLong.of(position));
    }

    /** Returns the same for bytes that come in ascending order. */
    public WriteRequest ascending() {
        return new WriteRequest(path, kind, expectedBytes, present, checksum, quorum, OptionalLong.empty());
    }

    /** Returns a request for a new file in place of any other. */
    public static WriteRequest replace(FilePath path) {
        return new WriteRequest(path, Kind.REPLACE, 0, List.of(), Optional.empty());
    }
}
