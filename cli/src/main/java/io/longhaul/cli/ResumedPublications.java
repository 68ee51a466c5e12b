package io.longhaul.cli;

import io.longhaul.agent.Agent;
import io.longhaul.agent.Progress;
import io.longhaul.agent.Publication;
import io.longhaul.cli.terminal.Console;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Predicate;

/** What a long-running agent's predecessor left unpublished, each reported when it ends. May be used from any thread. */
final class ResumedPublications {
    private final Console console;
    private final Executor executor;
    private final List<Publication> running = new CopyOnWriteArrayList<>();

    ResumedPublications(Console console, Executor executor) {
        this.console = console;
        this.executor = executor;
    }

    /**
     * Goes on with all of them.
     *
     * @param claimed whether somebody else tells of a publication
     */
    void start(Agent agent, Predicate<Publication> claimed) {
        for (Publication publication : agent.resumePublications()) {
            if (claimed.test(publication)) {
                continue;
            }
            running.add(publication);
            publication
                    .result()
                    .whenCompleteAsync(
                            (result, failure) -> {
                                running.remove(publication);
                                if (result != null) {
                                    Lines.published(console, result, publication.topic());
                                } else if (failure != null && !DirectoryWatch.isClosing(failure)) {
                                    fail(publication, failure);
                                }
                            },
                            executor);
        }
    }

    private void fail(Publication publication, Throwable failure) {
        Lines.failed(
                console,
                publication.transfer(),
                publication.progress().name(),
                publication.topic(),
                Failures.line(failure),
                ExitCodes.of(failure));
    }

    /** Returns where the running ones are. */
    List<Progress> progress() {
        return running.stream().map(Publication::progress).toList();
    }
}
