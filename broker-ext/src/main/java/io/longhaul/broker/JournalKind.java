package io.longhaul.broker;

/** How the broker writes its journal. */
public enum JournalKind {
    /** Positional writes and fdatasync: works everywhere. */
    NIO,
    /** Linux asynchronous I/O; falls back to {@link #NIO} with a warning where libaio is missing. */
    AIO
}
