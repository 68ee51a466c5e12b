package io.longhaul.gridftp.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.post.FakePosts;
import io.longhaul.gridftp.post.FakeScheduler;
import io.longhaul.gridftp.post.Message;
import io.longhaul.gridftp.post.MessageKind;
import io.longhaul.gridftp.post.PostOffice;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.ChecksumAlgorithm;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A caller and a callee over a network that fails. */
final class CallsTest {
    private static final Principal USER = new Principal("bob", false);
    private static final Duration LONG = Duration.ofHours(1);

    private final FakeScheduler world = new FakeScheduler();
    private final List<Call> done = new ArrayList<>();

    private Caller caller(FakePosts posts) {
        return caller(posts, world);
    }

    private Caller caller(FakePosts posts, Executor reader) {
        PostOffice office = new PostOffice(posts.post("front"));
        Caller caller = new Caller(
                office, new Caller.World(world, world, reader, world::nanoTime, new Random(1)), Duration.ofSeconds(60));
        office.open();
        return caller;
    }

    private void serve(FakePosts posts, Callee.Service service) {
        PostOffice office = new PostOffice(posts.post("back"));
        new Callee(office, service, world, world::nanoTime);
        office.open();
    }

    private CompletableFuture<Answer> note(String from, Call call, Duration age, LongConsumer progress) {
        done.add(call);
        return CompletableFuture.completedFuture(new Answer.Done());
    }

    private Answer get(CompletableFuture<Answer> answer) {
        assertThat(world.runUntil(answer::isDone, LONG)).isTrue();
        return answer.join();
    }

    private void assertFails(Code code, String words, CompletableFuture<Answer> answer) {
        assertThat(world.runUntil(answer::isDone, LONG)).isTrue();
        assertThatThrownBy(answer::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        BackendException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(words);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldDoEachOnceWhenMessagesAreLostRepeatedAndLate(long seed) {
        // given
        FakePosts posts =
                new FakePosts(world, seed, new FakePosts.Faults(0.3, 0.3, Duration.ofMillis(1), Duration.ofSeconds(3)));
        Caller caller = caller(posts);
        serve(posts, this::note);

        // when
        List<Call> calls = new ArrayList<>();
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            calls.add(new Call.MakeDirectory(USER, FilePath.of("/" + i)));
            answers.add(caller.call("back", calls.get(i), working -> {}));
        }

        // then
        answers.forEach(answer -> assertThat(get(answer)).isEqualTo(new Answer.Done()));
        assertThat(done).containsExactlyInAnyOrderElementsOf(calls);
    }

    @Test
    void shouldComeWholeWhenTheAnswerIsLongAndPartsAreLost() {
        // given
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < 30_000; i++) {
            entries.add(
                    new Entry("a name of some length " + i, Entry.Type.FILE, i, Instant.EPOCH, true, Optional.empty()));
        }
        FakePosts posts = new FakePosts(world, 4, new FakePosts.Faults(0.3, 0.1, Duration.ZERO, Duration.ofMillis(10)));
        Caller caller = caller(posts);
        Answer.Listed listed = new Answer.Listed(Optional.empty(), entries);
        serve(posts, (from, call, again, progress) -> CompletableFuture.completedFuture(listed));

        // then
        assertThat(get(caller.call("back", new Call.ListDirectory(USER, FilePath.ROOT), working -> {})))
                .isEqualTo(listed);
    }

    @Test
    void shouldHearOthersAndAskNoMoreWhileALongAnswerIsRead() {
        // given
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < 30_000; i++) {
            entries.add(new Entry("f" + i, Entry.Type.FILE, i, Instant.EPOCH, true, Optional.empty()));
        }
        Answer.Listed listed = new Answer.Listed(Optional.empty(), entries);
        FakePosts posts = new FakePosts(world, 1, FakePosts.Faults.NONE);
        List<Runnable> reading = new ArrayList<>();
        Caller caller = caller(posts, reading::add);
        serve(
                posts,
                (from, call, again, progress) ->
                        CompletableFuture.completedFuture(call.type() == Call.Type.STAT ? new Answer.Done() : listed));

        // when
        CompletableFuture<Answer> list =
                caller.call("back", new Call.ListDirectory(USER, FilePath.ROOT), working -> {});
        world.advance(Duration.ofMinutes(5));

        // then
        assertThat(get(caller.call("back", new Call.Stat(USER, FilePath.ROOT), working -> {})))
                .isEqualTo(new Answer.Done());
        assertThat(reading).hasSize(1);
        assertThat(list).isNotDone();
        reading.get(0).run();
        assertThat(list.join()).isEqualTo(listed);
    }

    @Test
    void shouldFailWhenTheAnswerCannotBeRead() throws InterruptedException {
        // given
        FakePosts posts = new FakePosts(world, 1, FakePosts.Faults.NONE);
        Caller caller = caller(posts);
        PostOffice back = new PostOffice(posts.post("back"));
        List<Message.Call> asked = new ArrayList<>();
        back.handTo(Set.of(MessageKind.CALL), (from, message) -> asked.add((Message.Call) message));
        back.open();
        CompletableFuture<Answer> answer =
                caller.call("back", new Call.ListDirectory(USER, FilePath.ROOT), working -> {});
        CompletableFuture<Answer> forEver =
                caller.callForEver("back", new Call.Stat(USER, FilePath.ROOT), working -> {});
        assertThat(world.runUntil(() -> asked.size() == 2, LONG)).isTrue();

        // when
        for (Message.Call call : asked) {
            back.send("front", new Message.Answer(call.number(), 0, 1, "{\"is\":\"listed\",\"entries\":[{}]}"));
        }

        // then
        assertFails(Code.FAILED, "endpoint back: its answer cannot be read: ", answer);
        assertFails(Code.UNAVAILABLE, "endpoint back: its answer cannot be read: ", forEver);
        assertThat(world.nanoTime()).isLessThan(Duration.ofSeconds(2).toNanos());
    }

    @Test
    void shouldGiveUpWithWordsOfATimeoutWhenNobodyAnswers() {
        FakePosts posts = new FakePosts(world, 1, FakePosts.Faults.NONE);
        Caller caller = caller(posts);

        CompletableFuture<Answer> answer = caller.call("back", new Call.Stat(USER, FilePath.ROOT), working -> {});

        assertFails(Code.UNAVAILABLE, "endpoint back: expected an answer within 60 s", answer);
        assertThatThrownBy(answer::join).hasMessageContaining("Connection timed out");
        assertThat(world.nanoTime()).isBetween(60_000_000_000L, 63_000_000_000L);
    }

    @Test
    void shouldWaitAndTellProgressWhenTheOtherEndWorksLong() {
        // given
        FakePosts posts = new FakePosts(world, 1, FakePosts.Faults.NONE);
        Caller caller = caller(posts);
        CompletableFuture<Answer> end = new CompletableFuture<>();
        List<LongConsumer> told = new ArrayList<>();
        serve(posts, (from, call, again, progress) -> {
            told.add(progress);
            return end;
        });
        List<Long> heard = new ArrayList<>();

        // when
        CompletableFuture<Answer> answer =
                caller.call("back", new Call.Stat(USER, FilePath.ROOT), working -> heard.add(working.bytes()));
        world.advance(Duration.ofMinutes(5));
        told.get(0).accept(42);
        world.advance(Duration.ofSeconds(3));
        end.complete(new Answer.Digits("ff"));

        // then
        assertThat(get(answer)).isEqualTo(new Answer.Digits("ff"));
        assertThat(heard).startsWith(0L).endsWith(42L);
        assertThat(told).hasSize(1);
    }

    @Test
    void shouldAskAgainAtOnceWhenThePostWasCut() {
        // given
        FakePosts posts = new FakePosts(world, 1, FakePosts.Faults.NONE);
        Caller caller = caller(posts);
        serve(posts, this::note);
        posts.cut(true);
        CompletableFuture<Answer> answer = caller.call("back", new Call.Stat(USER, FilePath.ROOT), working -> {});
        world.advance(Duration.ofMillis(2100));

        // when
        posts.cut(false);
        world.advance(Duration.ofMillis(1));

        // then
        assertThat(answer).isDone();
    }

    @Test
    void shouldKeepTheMeaningWhenTheOtherEndFails() {
        FakePosts posts = new FakePosts(world, 1, FakePosts.Faults.NONE);
        Caller caller = caller(posts);
        serve(posts, (from, call, again, progress) -> {
            if (call.type() == Call.Type.STAT) {
                return CompletableFuture.failedFuture(
                        new CompletionException(new BackendException(Code.NOT_EMPTY, "/x: full")));
            }
            throw new IllegalStateException("secret");
        });

        assertFails(Code.NOT_EMPTY, "/x: full", caller.call("back", new Call.Stat(USER, FilePath.ROOT), working -> {}));
        assertFails(
                Code.FAILED,
                "unexpected IllegalStateException",
                caller.call("back", new Call.DeleteFile(USER, FilePath.ROOT), working -> {}));
    }

    @Test
    void shouldEndTheRepeatingWhenItIsCancelled() {
        FakePosts posts = new FakePosts(world, 1, FakePosts.Faults.NONE);
        Caller caller = caller(posts);

        CompletableFuture<Answer> answer =
                caller.callForEver("back", new Call.Stat(USER, FilePath.ROOT), working -> {});
        world.advance(Duration.ofHours(1));
        assertThat(answer).isNotDone();
        answer.cancel(false);

        world.advance(Duration.ofSeconds(10));
        assertThat(world.step()).isFalse();
    }

    @Test
    void shouldEndAChecksumThatNobodyAsksForAndBeginItAnewWhenSomebodyDoes() {
        // given
        FakePosts posts = new FakePosts(world, 1, FakePosts.Faults.NONE);
        Caller caller = caller(posts);
        List<LongConsumer> told = new ArrayList<>();
        List<CompletableFuture<Answer>> ends = new ArrayList<>();
        serve(posts, (from, call, age, progress) -> {
            told.add(progress);
            ends.add(new CompletableFuture<>());
            return ends.get(ends.size() - 1);
        });
        CompletableFuture<Answer> answer = caller.call(
                "back",
                new Call.Checksum(USER, FilePath.of("/f"), ChecksumAlgorithm.MD5, new ByteRange(0, 1)),
                working -> {});
        world.advance(Duration.ofMinutes(2));
        told.get(0).accept(1);

        // when
        posts.cut(true);
        world.advance(Duration.ofSeconds(31));

        // then
        assertThatThrownBy(() -> told.get(0).accept(2)).isInstanceOf(CancellationException.class);

        // when
        ends.get(0).completeExceptionally(new CancellationException());
        posts.cut(false);
        world.advance(Duration.ofSeconds(3));

        // then
        assertThat(told).hasSize(2);
        told.get(1).accept(1);
        ends.get(1).complete(new Answer.Digits("ff"));
        assertThat(get(answer)).isEqualTo(new Answer.Digits("ff"));
    }
}
