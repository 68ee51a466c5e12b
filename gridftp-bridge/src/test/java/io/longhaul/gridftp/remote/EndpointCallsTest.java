package io.longhaul.gridftp.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.call.Answer;
import io.longhaul.gridftp.call.Call;
import io.longhaul.gridftp.call.Caller;
import io.longhaul.gridftp.post.FakeScheduler;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.ChecksumAlgorithm;
import io.longhaul.gridftp.spi.Directory;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Principal;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Commands while the server is away. */
final class EndpointCallsTest {
    private static final Principal USER = new Principal("anna", false);
    private static final FilePath PATH = FilePath.of("/f");
    private static final Entry ENTRY = new Entry("f", Entry.Type.FILE, 1, Instant.EPOCH, true, Optional.empty());
    private static final BackendException AWAY = BackendException.away("Connection refused", null);
    private static final BackendException REFUSED =
            new BackendException(Code.NOT_LOGGED_IN, "login as bob refused: the server said 530 Login incorrect.");

    private final FakeScheduler time = new FakeScheduler();
    private Optional<BackendException> failure = Optional.empty();
    private int asked;

    /** Does what is asked for, or fails. */
    private final Backend backend = Backend.class.cast(Proxy.newProxyInstance(
            Backend.class.getClassLoader(), new Class<?>[] {Backend.class}, (proxy, method, arguments) -> {
                asked++;
                return failure.<CompletableFuture<?>>map(CompletableFuture::failedFuture)
                        .orElseGet(() -> CompletableFuture.completedFuture(
                                switch (method.getName()) {
                                    case "stat" -> ENTRY;
                                    case "directory" -> new Directory(ENTRY, List.of(ENTRY));
                                    case "checksum" -> "00";
                                    default -> null;
                                }));
            }));

    private final EndpointCalls calls = new EndpointCalls(
            user -> backend,
            (from, call, age, progress) -> new CompletableFuture<>(),
            this::changing,
            time,
            time::nanoTime);

    private final List<FilePath> changed = new ArrayList<>();

    private CompletableFuture<Void> changing(List<FilePath> paths, CompletableFuture<Void> done) {
        changed.addAll(paths);
        return done;
    }

    private CompletableFuture<Answer> serve(Call call) {
        return serve(call, Duration.ZERO);
    }

    private CompletableFuture<Answer> serve(Call call, Duration age) {
        return calls.serve("front", call, age, done -> {});
    }

    static List<Call> looks() {
        return List.of(
                new Call.Stat(USER, PATH),
                new Call.ListDirectory(USER, PATH),
                new Call.Checksum(USER, PATH, ChecksumAlgorithm.ADLER32, new ByteRange(0, 1)));
    }

    static List<Call> changes() {
        return List.of(
                new Call.MakeDirectory(USER, PATH),
                new Call.RemoveDirectory(USER, PATH),
                new Call.DeleteFile(USER, PATH),
                new Call.Rename(USER, PATH, PATH),
                new Call.SetModified(USER, PATH, Instant.EPOCH),
                new Call.SetMode(USER, PATH, 0));
    }

    @Test
    void shouldTellOfPathsWhoseFilesMayBeOthersNow() {
        // given
        FilePath other = FilePath.of("/other");

        // when
        serve(new Call.DeleteFile(USER, PATH));
        serve(new Call.Rename(USER, PATH, other));
        serve(new Call.RemoveDirectory(USER, other));
        looks().forEach(this::serve);

        // then
        assertThat(changed).containsExactly(PATH, PATH, other, other);
    }

    @ParameterizedTest
    @MethodSource({"looks", "changes"})
    void shouldBeDoneWhenTheServerWasAwayForAMinute(Call call) {
        // given
        failure = Optional.of(AWAY.untried());
        CompletableFuture<Answer> answer = serve(call);
        time.advance(Duration.ofSeconds(65));
        assertThat(answer).isNotDone();

        // when
        failure = Optional.empty();
        time.advance(Duration.ofSeconds(5));

        // then
        assertThat(answer).isCompleted();
    }

    @ParameterizedTest
    @MethodSource("looks")
    void shouldLookAgainWhenTheServerLeavesMeanwhile(Call call) {
        failure = Optional.of(AWAY);
        CompletableFuture<Answer> answer = serve(call);

        failure = Optional.empty();
        time.advance(Duration.ofSeconds(5));

        assertThat(answer).isCompleted();
    }

    @ParameterizedTest
    @MethodSource("changes")
    void shouldDoNothingTwiceWhenTheServerLeavesMeanwhile(Call call) {
        failure = Optional.of(AWAY);

        CompletableFuture<Answer> answer = serve(call);

        assertThat(answer).isCompletedExceptionally();
        assertThat(asked).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource({"looks", "changes"})
    void shouldSayWhyWhenTheServerStaysAway(Call call) {
        // given
        failure = Optional.of(AWAY.untried());

        // when
        CompletableFuture<Answer> answer = serve(call);
        time.advance(Caller.SERVER_PATIENCE);

        // then
        assertThatThrownBy(answer::join).rootCause().hasMessageContaining("Connection refused");
    }

    @ParameterizedTest
    @MethodSource({"looks", "changes"})
    void shouldAskOnceWhenTheServerRefuses(Call call) {
        failure = Optional.of(REFUSED.untried());

        CompletableFuture<Answer> answer = serve(call);
        time.advance(Duration.ofSeconds(60));

        assertThat(answer).isCompletedExceptionally();
        assertThat(asked).isEqualTo(1);
    }

    @Test
    void shouldSayThatItIsDoneWhenAnOlderCommandFindsSoAfterTheServerWasAway() {
        // given
        failure = Optional.of(AWAY.untried());
        CompletableFuture<Answer> answer = serve(new Call.DeleteFile(USER, PATH), Duration.ofSeconds(1));
        time.advance(Duration.ofSeconds(9));

        // when
        failure = Optional.of(new BackendException(Code.NOT_FOUND, "No such file"));
        time.advance(Duration.ofSeconds(5));

        // then
        assertThat(answer).isCompletedWithValue(new Answer.Done());
    }

    @Test
    void shouldLeaveItToTheSuccessorWhenItEnds() {
        // given
        failure = Optional.of(AWAY);
        CompletableFuture<Answer> answer = serve(new Call.Stat(USER, PATH));

        // when
        CompletableFuture<Void> drained = calls.drain();
        time.advance(Duration.ofMinutes(2));

        // then
        assertThat(drained).isCompleted();
        assertThat(answer).isNotDone();
        assertThat(asked).isEqualTo(1);
    }
}
