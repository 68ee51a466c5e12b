package io.longhaul.gridftp.transfer;

import io.longhaul.gridftp.call.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/** Calls about one delivery that are not answered yet. Belongs to the thread of the delivery. */
final class Waiters {
    private final List<Waiter> waiting = new ArrayList<>();
    private boolean told;

    /** What a call waits for. */
    enum For {
        /** That there is a place for the file. */
        OPENING,
        /** Anything that ends the sending. */
        CHANGE,
        /** The outcome. */
        OUTCOME
    }

    private record Waiter(For event, CompletableFuture<Answer> answer, LongConsumer progress) {}

    CompletableFuture<Answer> add(For event, LongConsumer progress) {
        Waiter waiter = new Waiter(event, new CompletableFuture<>(), progress);
        waiting.add(waiter);
        return waiter.answer;
    }

    boolean areForOutcome() {
        return waiting.stream().anyMatch(waiter -> waiter.event == For.OUTCOME);
    }

    void progress(long bytes) {
        waiting.forEach(waiter -> waiter.progress.accept(bytes));
    }

    /** Of what is sent now nobody has been told yet that there is a place. */
    void begun() {
        told = false;
    }

    void opened() {
        told |= waiting.stream().anyMatch(waiter -> waiter.event == For.OPENING);
        answer(waiter -> waiter.event == For.OPENING, new Answer.Done());
    }

    /** Whether who asks when there is a place is the first to hear of it: who asked before was told that there is none yet. */
    boolean isToldFirst() {
        boolean first = !told;
        told = true;
        return first;
    }

    /** Who waits for a place does not get it yet, and asks again. */
    void unopened(Answer why) {
        answer(waiter -> waiter.event == For.OPENING, why);
    }

    /** A newer call tells the rest. */
    void superseded() {
        answer(waiter -> waiter.event != For.OUTCOME, new Answer.Done());
    }

    void answerAll(Answer answer) {
        answer(waiter -> true, answer);
    }

    private void answer(Predicate<Waiter> which, Answer answer) {
        List<Waiter> answered = waiting.stream().filter(which).toList();
        waiting.removeAll(answered);
        for (Waiter waiter : answered) {
            if (answer instanceof Answer.Failed failed) {
                waiter.answer.completeExceptionally(failed.exception());
            } else {
                waiter.answer.complete(answer);
            }
        }
    }
}
