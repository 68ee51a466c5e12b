package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.call.Answer;
import io.longhaul.gridftp.call.AnswerCodec;
import io.longhaul.gridftp.call.Call;
import io.longhaul.gridftp.call.CallCodec;
import io.longhaul.gridftp.call.CallException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.Sink;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a back notes beside a content: what the note is about, the front's endpoint, the answer if there is one, the call, the
 * file that is written over if it matters, whether the server may have been told to do so, and where the bytes are at the
 * server meanwhile; a line each.
 *
 * @param outcome what a commit is answered with; nothing as long as there was none
 * @param basis the file that the front's client takes for granted, once it was looked at
 * @param mayBeDone whether the server may have been told to write over it
 * @param temporary what the last sink was called at the server until it ended, if a killed process leaves that there
 */
record DeliveryNote(
        String front,
        Optional<Answer> outcome,
        Call.Deliver deliver,
        Optional<Entry> basis,
        boolean mayBeDone,
        Optional<String> temporary) {
    private static final String KIND = "delivery";
    private static final String MAY_BE_DONE = "may be done";
    private static final String TEMPORARY = "temporary ";
    private static final int LEAST_LINES = 4;

    /** Makes a note of a delivery of which nothing is known yet. */
    DeliveryNote(String front, Call.Deliver deliver) {
        this(front, Optional.empty(), deliver, Optional.empty(), false, Optional.empty());
    }

    /** Returns the note of the same delivery for another front. */
    DeliveryNote from(String otherFront) {
        return new DeliveryNote(otherFront, outcome, deliver, basis, mayBeDone, temporary);
    }

    /** Returns the note of the same delivery with an outcome. A file that is in place has left its temporary name. */
    DeliveryNote with(Answer answer) {
        Optional<String> left = temporary.filter(place -> answer instanceof Answer.Failed);
        return new DeliveryNote(front, Optional.of(answer), deliver, basis, mayBeDone, left);
    }

    /** Returns the note of the same delivery as a call says, without an outcome. */
    DeliveryNote begun(Call.Deliver call) {
        return new DeliveryNote(front, Optional.empty(), call, basis, mayBeDone, temporary);
    }

    /** Returns the note of the same delivery over a file. */
    DeliveryNote over(Entry file) {
        return new DeliveryNote(front, outcome, deliver, Optional.of(file), mayBeDone, temporary);
    }

    /** Returns what is noted before bytes are appended: a process that is killed then leaves nobody who knows whether it has. */
    DeliveryNote appending() {
        String path = deliver.request().path().toString();
        return with(new Answer.Failed(
                Code.FAILED, path + ": the back ended while bytes were appended: it is not known whether they were"));
    }

    /** Returns the note of the same delivery before the server is told to write over the file. */
    DeliveryNote committing() {
        return new DeliveryNote(front, outcome, deliver, basis, true, temporary);
    }

    /** Returns the note of the same delivery into another sink. */
    DeliveryNote into(Sink sink) {
        return new DeliveryNote(front, outcome, deliver, basis, mayBeDone, sink.temporary());
    }

    /** Returns the note of the same delivery for another attempt of the front's client. */
    DeliveryNote at(long attempt) {
        Call.Deliver begun = deliver;
        return new DeliveryNote(
                front,
                outcome,
                new Call.Deliver(begun.user(), begun.content(), begun.request(), begun.seal(), begun.end(), attempt),
                basis,
                mayBeDone,
                temporary);
    }

    /**
     * Returns the outcome if it is that of a commit too. What is added to a file is added once; a whole file may have changed at
     * the server since another attempt, and what failed then may work now.
     *
     * @param isSame whether the content is what the commit seals
     */
    Optional<Answer> outcomeOf(Call.Deliver commit, boolean isSame) {
        boolean isWholeFile = Destination.isWholeFile(deliver);
        boolean isOfThis = isSame && (!isWholeFile || deliver.attempt() == commit.attempt());
        return outcome.filter(answer -> answer instanceof Answer.Failed ? !isWholeFile : isOfThis);
    }

    String text() {
        List<String> lines = new ArrayList<>();
        lines.addAll(List.of(KIND, front, outcome.map(AnswerCodec::encode).orElse(""), CallCodec.encode(deliver)));
        basis.ifPresent(file -> lines.add(AnswerCodec.encode(new Answer.Found(file))));
        if (mayBeDone) {
            lines.add(MAY_BE_DONE);
        }
        temporary.ifPresent(place -> lines.add(TEMPORARY + place));
        return String.join("\n", lines);
    }

    /** Returns what a note says; nothing for that of something else. */
    static Optional<DeliveryNote> of(String note) {
        List<String> lines = List.of(note.split("\n", -1));
        if (lines.size() < LEAST_LINES || !lines.get(0).equals(KIND)) {
            return Optional.empty();
        }
        try {
            Optional<Entry> basis = Optional.empty();
            boolean mayBeDone = false;
            Optional<String> temporary = Optional.empty();
            for (String line : lines.subList(LEAST_LINES, lines.size())) {
                if (line.equals(MAY_BE_DONE)) {
                    mayBeDone = true;
                } else if (line.startsWith(TEMPORARY)) {
                    temporary = Optional.of(line.substring(TEMPORARY.length()));
                } else {
                    basis = Optional.of(((Answer.Found) AnswerCodec.decode(line)).entry());
                }
            }
            String outcome = lines.get(2);
            return Optional.of(new DeliveryNote(
                    lines.get(1),
                    outcome.isEmpty() ? Optional.empty() : Optional.of(AnswerCodec.decode(outcome)),
                    (Call.Deliver) CallCodec.decode(lines.get(3)).call(),
                    basis,
                    mayBeDone,
                    temporary));
        } catch (CallException | IllegalArgumentException | ClassCastException e) {
            return Optional.empty();
        }
    }
}
