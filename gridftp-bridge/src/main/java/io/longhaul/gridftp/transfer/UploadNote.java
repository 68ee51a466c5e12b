package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.call.Call;
import io.longhaul.gridftp.call.CallCodec;
import io.longhaul.gridftp.call.CallException;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.range.ByteRanges;
import java.util.Optional;

/**
 * What a front notes beside the content of an upload: {@code upload}, state, endpoint, what the client has sent in its last
 * session, and the call that delivers it; a line each.
 *
 * @param trusted bytes that the last session sent or compared; {@code all} where that is all there are
 * @param deliver as it was begun: without a seal
 */
record UploadNote(State state, String endpoint, Optional<ByteRanges> trusted, Call.Deliver deliver) {
    private static final String KIND = "upload";
    private static final String ALL = "all";

    /** How far an upload is. */
    enum State {
        /** A client sends. */
        OPEN,
        /** All is here; on its way to the server. */
        COMMITTED,
        /** The server has it; kept in case that it is sent again. */
        DELIVERED,
        /** A client gave it up; kept in case that it is sent again. */
        KEPT
    }

    UploadNote in(State other) {
        return new UploadNote(other, endpoint, trusted, deliver);
    }

    UploadNote trusting(Optional<ByteRanges> other) {
        return new UploadNote(state, endpoint, other, deliver);
    }

    String text() {
        return String.join(
                "\n",
                KIND,
                state.name(),
                endpoint,
                trusted.map(ByteRanges::toString).orElse(ALL),
                CallCodec.encode(deliver));
    }

    /** Returns what a note says; nothing for that of something else. */
    static Optional<UploadNote> of(String note) {
        String[] lines = note.split("\n", 5);
        if (lines.length < 5 || !lines[0].equals(KIND)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new UploadNote(
                    State.valueOf(lines[1]),
                    lines[2],
                    lines[3].equals(ALL) ? Optional.empty() : Optional.of(ranges(lines[3])),
                    (Call.Deliver) CallCodec.decode(lines[4]).call()));
        } catch (CallException | IllegalArgumentException | ClassCastException e) {
            return Optional.empty();
        }
    }

    private static ByteRanges ranges(String text) {
        ByteRanges ranges = new ByteRanges();
        for (String range : text.isEmpty() ? new String[0] : text.split(",")) {
            int dash = range.indexOf('-');
            ByteRange parsed =
                    new ByteRange(Long.parseLong(range.substring(0, dash)), Long.parseLong(range.substring(dash + 1)));
            ranges.add(parsed.start(), parsed.end());
        }
        return ranges;
    }
}
