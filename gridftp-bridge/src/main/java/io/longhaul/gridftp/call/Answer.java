package io.longhaul.gridftp.call;

import io.longhaul.gridftp.post.Number128;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.Directory;
import io.longhaul.gridftp.spi.Entry;
import java.util.List;
import java.util.Optional;

/** What a back says to a {@link Call}. All but {@link Working} are last words. */
public sealed interface Answer {
    /** The kinds of answers; the wire name is the value of {@code is}. */
    enum Type {
        WORKING("working"),
        DONE("done"),
        FOUND("found"),
        LISTED("listed"),
        DIGITS("digits"),
        FETCHED("fetched"),
        FAILED("failed");

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

    /**
     * It goes on.
     *
     * @param bytes that are done
     */
    record Working(long bytes) implements Answer {
        @Override
        public Type type() {
            return Type.WORKING;
        }
    }

    /** It is done. */
    record Done() implements Answer {
        @Override
        public Type type() {
            return Type.DONE;
        }
    }

    /** It is done, and this is what is there. */
    record Found(Entry entry) implements Answer {
        @Override
        public Type type() {
            return Type.FOUND;
        }
    }

    /**
     * What is in the directory.
     *
     * @param self the directory; older backs do not tell
     */
    record Listed(Optional<Entry> self, List<Entry> entries) implements Answer {
        /** Keeps a copy. */
        public Listed {
            entries = List.copyOf(entries);
        }

        /** Returns what is told of a directory. */
        public static Listed of(Directory directory) {
            return new Listed(Optional.of(directory.self()), directory.entries());
        }

        @Override
        public Type type() {
            return Type.LISTED;
        }
    }

    /** A checksum in lower-case hexadecimal digits. */
    record Digits(String digits) implements Answer {
        @Override
        public Type type() {
            return Type.DIGITS;
        }
    }

    /**
     * A file that is being read.
     *
     * @param content into which it is read, and which can be pulled
     * @param entry what the file was when it was opened
     */
    record Fetched(Number128 content, Entry entry) implements Answer {
        @Override
        public Type type() {
            return Type.FETCHED;
        }
    }

    /**
     * It did not work.
     *
     * @param message for a person
     * @param details more lines; none for most
     */
    record Failed(BackendException.Code code, String message, List<String> details) implements Answer {
        /** Keeps a copy. */
        public Failed {
            details = List.copyOf(details);
        }

        /** Makes one without more lines. */
        public Failed(BackendException.Code code, String message) {
            this(code, message, List.of());
        }

        /** Returns what the caller is told of a failure. */
        public static Failed of(BackendException failure) {
            return new Failed(failure.code(), String.valueOf(failure.getMessage()), failure.details());
        }

        @Override
        public Type type() {
            return Type.FAILED;
        }

        /** Returns it as the caller's own failure. */
        public BackendException exception() {
            return new BackendException(code, message, details);
        }
    }
}
