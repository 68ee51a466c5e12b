package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import java.util.concurrent.CompletableFuture;

/** Replies that are known at once. */
final class Replies {
    private Replies() {}

    static CompletableFuture<Reply> now(int code, String text) {
        return CompletableFuture.completedFuture(Reply.of(code, text));
    }

    /** Returns the one that RFC 959 has for whatever was done to a file. */
    static Reply ok() {
        return Reply.of(250, "OK.");
    }
}
