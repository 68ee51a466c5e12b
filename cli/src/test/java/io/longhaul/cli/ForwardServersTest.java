package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Copy;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.WriteRequest;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

final class ForwardServersTest {
    private static final int MOST = 2;

    private final List<String> opened = new ArrayList<>();
    private final BlockingQueue<String> closed = new LinkedBlockingQueue<>();

    private static ForwardServers servers(String front) {
        return new ForwardServers(List.of("host:21"), front, System::nanoTime);
    }

    private ForwardServers two() {
        return new ForwardServers(List.of("host:21"), "front", MOST, this::files);
    }

    /** Returns the files of a server that lets everybody in but mallory. */
    private Backend files(Copy.Server server, String owner) {
        String user = server.login().orElseThrow().user();
        opened.add(user);
        return fake(Backend.class, method -> {
            if (method.equals("close")) {
                closed.add(user);
                return null;
            }
            return user.equals("mallory")
                    ? CompletableFuture.failedFuture(new BackendException(Code.NOT_LOGGED_IN, "530 no"))
                    : CompletableFuture.completedFuture(
                            fake(Sink.class, ending -> CompletableFuture.completedFuture(null)));
        });
    }

    private interface Answers {
        Object to(String method);
    }

    private static <T> T fake(Class<T> type, Answers answers) {
        return type.cast(Proxy.newProxyInstance(
                ForwardServersTest.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> answers.to(method.getName())));
    }

    private static Sink sink(ForwardServers servers, String user) {
        Copy.Server server = new Copy.Server("host", 21, Optional.of(new Copy.Login(user, "secret")));
        return servers.of(server)
                .orElseThrow()
                .write(WriteRequest.replace(FilePath.of("/f")))
                .join();
    }

    private static Code failure(ForwardServers servers, String user) {
        CompletionException failure = catchThrowableOfType(CompletionException.class, () -> sink(servers, user));
        return ((BackendException) failure.getCause()).code();
    }

    @Test
    void shouldFindItsFilesAgainWhenTheFrontIsStartedAgain() {
        try (ForwardServers before = servers("front-1");
                ForwardServers now = servers("front-1")) {
            assertThat(now.owner("host:21", "anna")).isEqualTo(before.owner("HOST:21", "anna"));
        }
    }

    @Test
    void shouldTidyNobodyElsesFilesAway() {
        try (ForwardServers one = servers("front-1");
                ForwardServers other = servers("front-2")) {
            assertThat(List.of(
                            one.owner("host:21", "anna"),
                            one.owner("host:21", "anna"),
                            one.owner("host:21", "bob"),
                            one.owner("host:22", "anna"),
                            other.owner("host:21", "anna")))
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void shouldCloseTheOneThatWasUsedLongestAgoWhenThereIsNoMoreRoom() throws InterruptedException {
        try (ForwardServers servers = two()) {
            // given
            sink(servers, "anna").commit(bytes -> {}).join();
            sink(servers, "bob").suspend().join();
            sink(servers, "anna").abort().join();

            // when
            sink(servers, "carl");

            // then
            assertThat(closed.take()).isEqualTo("bob");
            assertThat(opened).containsExactly("anna", "bob", "carl");
            sink(servers, "anna");
            assertThat(opened).hasSize(3);
        }
    }

    @Test
    void shouldSayThatItIsBusyWhenSomebodyStoresAtAllThatAreOpen() {
        try (ForwardServers servers = two()) {
            // given
            sink(servers, "anna");
            Sink bobs = sink(servers, "bob");

            // then
            assertThat(failure(servers, "carl")).isEqualTo(Code.UNAVAILABLE);
            bobs.abort().join();
            sink(servers, "carl");
            assertThat(opened).containsExactly("anna", "bob", "carl");
        }
    }

    @Test
    void shouldCloseTheOneWhoseLoginWasRefusedBeforeAllOthers() throws InterruptedException {
        try (ForwardServers servers = two()) {
            // given
            sink(servers, "anna").abort().join();
            assertThat(failure(servers, "mallory")).isEqualTo(Code.NOT_LOGGED_IN);

            // when
            sink(servers, "bob");

            // then
            assertThat(closed.take()).isEqualTo("mallory");
        }
    }

    @Test
    void shouldStoreNowhereElseThanWhereItMay() {
        try (ForwardServers servers = two()) {
            assertThat(servers.of(new Copy.Server("host", 22, Optional.empty())))
                    .isEmpty();
        }
    }
}
