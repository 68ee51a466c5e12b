package io.longhaul.gridftp.call;

import io.longhaul.gridftp.post.Number128;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.ChecksumAlgorithm;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Principal;
import io.longhaul.gridftp.spi.WriteRequest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What a front asks a back to do for a user; the operations are those of {@link io.longhaul.gridftp.spi.Backend}. */
public sealed interface Call {
    /** The kinds of calls; the wire name is the value of {@code do}. */
    enum Type {
        STAT("stat"),
        LIST_DIRECTORY("list"),
        MAKE_DIRECTORY("make-directory"),
        REMOVE_DIRECTORY("remove-directory"),
        DELETE_FILE("delete-file"),
        RENAME("rename"),
        SET_MODIFIED("set-modified"),
        SET_MODE("set-mode"),
        CHECKSUM("checksum"),
        DELIVER("deliver"),
        FETCH("fetch");

        private final String wireName;

        Type(String wireName) {
            this.wireName = wireName;
        }

        public String wireName() {
            return wireName;
        }
    }

    /** Returns its kind. */
    Type type();

    /** Returns for whom it is done. */
    Principal user();

    /** Answered with {@link Answer.Found}. */
    record Stat(Principal user, FilePath path) implements Call {
        @Override
        public Type type() {
            return Type.STAT;
        }
    }

    /** Answered with {@link Answer.Listed}. */
    record ListDirectory(Principal user, FilePath path) implements Call {
        @Override
        public Type type() {
            return Type.LIST_DIRECTORY;
        }
    }

    /** Answered with {@link Answer.Done}. */
    record MakeDirectory(Principal user, FilePath path) implements Call {
        @Override
        public Type type() {
            return Type.MAKE_DIRECTORY;
        }
    }

    /** Answered with {@link Answer.Done}. */
    record RemoveDirectory(Principal user, FilePath path) implements Call {
        @Override
        public Type type() {
            return Type.REMOVE_DIRECTORY;
        }
    }

    /** Answered with {@link Answer.Done}. */
    record DeleteFile(Principal user, FilePath path) implements Call {
        @Override
        public Type type() {
            return Type.DELETE_FILE;
        }
    }

    /** Answered with {@link Answer.Done}. */
    record Rename(Principal user, FilePath path, FilePath to) implements Call {
        @Override
        public Type type() {
            return Type.RENAME;
        }
    }

    /** Answered with {@link Answer.Done}. */
    record SetModified(Principal user, FilePath path, Instant time) implements Call {
        @Override
        public Type type() {
            return Type.SET_MODIFIED;
        }
    }

    /**
     * Answered with {@link Answer.Done}.
     *
     * @param mode the nine permission bits of Unix
     */
    record SetMode(Principal user, FilePath path, int mode) implements Call {
        @Override
        public Type type() {
            return Type.SET_MODE;
        }
    }

    /** Answered with {@link Answer.Digits}; meanwhile {@link Answer.Working} tells how many bytes are done. */
    record Checksum(Principal user, FilePath path, ChecksumAlgorithm algorithm, ByteRange range) implements Call {
        @Override
        public Type type() {
            return Type.CHECKSUM;
        }
    }

    /**
     * Brings a content that the caller holds to a place; answered with {@link Answer.Found}. Meanwhile {@link
     * Answer.Working} tells how many bytes have reached their place. Each change of {@code seal} or {@code end} is a call
     * of its own about the same content.
     *
     * @param content whose bytes the other end pulls
     * @param request what they are to become
     * @param seal what the whole is, once that is known
     * @param attempt a random number for each time that a client began to send the content; 0 from an end that knows none
     */
    record Deliver(Principal user, Number128 content, WriteRequest request, Optional<Seal> seal, End end, long attempt)
            implements Call {
        /** Whether more may come. */
        public enum End {
            /** It goes on. */
            OPEN,
            /** All is known: make it visible. There is a seal. */
            COMMIT,
            /** Nothing of it is wanted any more. */
            ABORT
        }

        /** Checks that what is committed is sealed. */
        public Deliver {
            if (end == End.COMMIT && seal.isEmpty()) {
                throw new IllegalArgumentException("deliver: expected a seal with a commit, found none");
            }
        }

        @Override
        public Type type() {
            return Type.DELIVER;
        }
    }

    /**
     * What a whole content is.
     *
     * @param length in bytes
     * @param checksum CRC-32C of all of them
     */
    record Seal(long length, int checksum) {
        /** Checks the bounds. */
        public Seal {
            if (length < 0) {
                throw new IllegalArgumentException("seal: expected a length of at least 0, found " + length);
            }
        }
    }

    /**
     * Begins to read a file into a content, which the other end holds and the caller pulls; answered with {@link
     * Answer.Fetched} when it is open.
     *
     * @param ranges ascending and disjoint; ends beyond the file's mean its end
     */
    record Fetch(Principal user, FilePath path, List<ByteRange> ranges) implements Call {
        /** Keeps a copy. */
        public Fetch {
            ranges = List.copyOf(ranges);
        }

        @Override
        public Type type() {
            return Type.FETCH;
        }
    }
}
