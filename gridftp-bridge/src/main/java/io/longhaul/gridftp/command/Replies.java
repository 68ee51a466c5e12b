package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Replies that are known at once. */
final class Replies {
    private static final int MOST_ENTRIES = 10_000;

    private Replies() {}

    static CompletableFuture<Reply> now(int code, String text) {
        return CompletableFuture.completedFuture(Reply.of(code, text));
    }

    /** Refuses to set a data connection up otherwise than the client has said it would. */
    static CompletableFuture<Reply> afterEpsvAll() {
        return now(503, "Data connections are set up by EPSV only, as EPSV ALL said.");
    }

    /**
     * Returns a listing over the control channel; one that is too long for a reply is refused.
     *
     * @param besides lines that are no entries
     */
    static Reply listing(int code, String title, List<String> lines, int besides) {
        return lines.size() - besides > MOST_ENTRIES
                ? Reply.of(
                        504,
                        "More than " + MOST_ENTRIES + " entries: use MLSD or LIST, which have a connection for it.")
                : Reply.of(code, title, lines.stream().map(line -> " " + line).toList(), "End.");
    }

    /** Returns the one that RFC 959 has for whatever was done to a file. */
    static Reply ok() {
        return Reply.of(250, "OK.");
    }
}
