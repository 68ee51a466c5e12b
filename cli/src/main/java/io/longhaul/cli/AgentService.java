package io.longhaul.cli;

import io.longhaul.agent.Progress;
import io.longhaul.agent.SubscribeRequest;
import io.longhaul.agent.Subscription;
import io.longhaul.agent.SubscriptionListener;
import io.longhaul.cli.option.TopicDirectory;
import io.longhaul.cli.terminal.Amounts;
import io.longhaul.cli.terminal.Console;
import io.longhaul.cli.terminal.JsonLine;
import io.longhaul.cli.watch.WatchJournal;
import io.longhaul.storage.Disk;
import io.longhaul.storage.RealPath;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a long-running agent does: its subscriptions, its watched directories, what it goes on with.
 *
 * <p>Owns the session. Confined to the command's thread, but for what it hands to the environment's threads.
 */
final class AgentService implements AutoCloseable {
    private final AgentSession session;
    private final Environment environment;
    private final Console console;
    private final List<Subscription> subscriptions = new ArrayList<>();
    private final List<DirectoryWatch> watches = new ArrayList<>();
    private final List<ScheduledFuture<?>> scans = new ArrayList<>();
    private final ResumedPublications resumed;
    private @Nullable WatchJournal journal;

    AgentService(AgentSession session, Environment environment, Console console) {
        this.session = session;
        this.environment = environment;
        this.console = console;
        this.resumed = new ResumedPublications(console, environment.threads());
    }

    void subscribe(SubscribeRequest request, SubscriptionListener listener) {
        subscriptions.add(session.subscribe(request, listener));
    }

    /** Goes on with what a predecessor left unpublished, and then begins to scan: what goes on need not be found anew. */
    void start(Duration scanInterval) {
        resumed.start(session.agent(), publication -> watches.stream().anyMatch(watch -> watch.claim(publication)));
        for (DirectoryWatch watch : watches) {
            scans.add(environment
                    .threads()
                    .scheduleWithFixedDelay(watch::scan, 0, scanInterval.toMillis(), TimeUnit.MILLISECONDS));
        }
    }

    /** Makes ready to scan directories. */
    void watch(List<TopicDirectory> directories, Path data) {
        if (directories.isEmpty()) {
            return;
        }
        WatchJournal published = WatchJournal.open(
                data.resolve("watched.jsonl"),
                Disk.real(),
                directories.stream().map(TopicDirectory::directory).toList());
        journal = published;
        for (TopicDirectory directory : directories) {
            watches.add(new DirectoryWatch(
                    directory, published, session.agent(), console, environment.threads(), environment.nanoTime()));
        }
    }

    /** Says that it is ready and serves until the process is asked to end or a subscription breaks. */
    int serve(String name, Path data) {
        CompletableFuture<?> broken = CompletableFuture.anyOf(
                subscriptions.stream().map(Subscription::closed).toArray(CompletableFuture<?>[]::new));
        ready(name, data);
        ProgressTicker.during(
                environment, console, this::progress, () -> environment.stop().await(broken, Deadline.FOREVER_NS));
        subscriptions.forEach(subscription -> Ending.throwIfFailed(subscription.closed()));
        int unfinished = progress().size();
        if (unfinished > 0) {
            console.warn("longhaul: stopped with " + Amounts.count(unfinished, "transfer")
                    + " unfinished; the same command goes on");
            return ExitCodes.INTERRUPTED;
        }
        return ExitCodes.OK;
    }

    private List<Progress> progress() {
        List<Progress> all = new ArrayList<>();
        subscriptions.forEach(subscription -> all.addAll(subscription.progress()));
        watches.forEach(watch -> all.addAll(watch.progress()));
        resumed.progress().stream()
                .filter(p -> all.stream().noneMatch(other -> other.transfer().equals(p.transfer())))
                .forEach(all::add);
        return all;
    }

    private void ready(String name, Path data) {
        console.event(JsonLine.of("ready")
                .with("command", "agent")
                .with("name", name)
                .with(
                        "subscriptions",
                        subscriptions.stream().map(Subscription::topic).toList())
                .with("data", RealPath.withoutDots(data).toString())
                .with("pid", ProcessHandle.current().pid()));
        console.say("longhaul: agent " + name + " serves " + Amounts.count(subscriptions.size(), "subscription")
                + " and watches " + watches.size() + (watches.size() == 1 ? " directory" : " directories"));
    }

    /** Closes after a failed start and leaves nothing behind that was not there before. */
    void abandon() {
        stop();
        subscriptions.forEach(Subscription::close);
        session.abandon();
    }

    private void stop() {
        scans.forEach(scan -> scan.cancel(false));
    }

    @Override
    public void close() {
        stop();
        session.close();
        // What the broker confirmed until now is remembered, so that it is not published again.
        watches.forEach(DirectoryWatch::awaitEndings);
        if (journal != null) {
            journal.close();
        }
    }
}
