package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.call.Answer;
import io.longhaul.gridftp.call.AnswerCodec;
import io.longhaul.gridftp.call.Call;
import io.longhaul.gridftp.call.CallCodec;
import io.longhaul.gridftp.call.CallException;
import java.util.Optional;

/**
 * What a back notes beside a content: what the note is about, the front's endpoint, the answer if there is one, and the call; a
 * line each.
 *
 * @param outcome what a commit is answered with; nothing as long as there was none
 */
record DeliveryNote(String front, Optional<Answer> outcome, Call.Deliver deliver) {
    private static final String KIND = "delivery";

    /** Returns the note of the same delivery for another attempt of the front's client. */
    DeliveryNote at(long attempt) {
        Call.Deliver begun = deliver;
        return new DeliveryNote(
                front,
                outcome,
                new Call.Deliver(begun.user(), begun.content(), begun.request(), begun.seal(), begun.end(), attempt));
    }

    String text() {
        return String.join("\n", KIND, front, outcome.map(AnswerCodec::encode).orElse(""), CallCodec.encode(deliver));
    }

    /** Returns what a note says; nothing for that of something else. */
    static Optional<DeliveryNote> of(String note) {
        String[] lines = note.split("\n", 4);
        if (lines.length < 4 || !lines[0].equals(KIND)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new DeliveryNote(
                    lines[1],
                    lines[2].isEmpty() ? Optional.empty() : Optional.of(AnswerCodec.decode(lines[2])),
                    (Call.Deliver) CallCodec.decode(lines[3]).call()));
        } catch (CallException | IllegalArgumentException | ClassCastException e) {
            return Optional.empty();
        }
    }
}
