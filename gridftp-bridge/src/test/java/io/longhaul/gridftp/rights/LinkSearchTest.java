package io.longhaul.gridftp.rights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class LinkSearchTest {
    private static final Entry DIRECTORY =
            new Entry("d", Entry.Type.DIRECTORY, 0, Instant.EPOCH, true, Optional.empty());

    private final Deque<CompletableFuture<List<Entry>>> listings = new ArrayDeque<>();

    /** Throws when more is listed than there are listings. */
    private final Backend backend = (Backend) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {Backend.class}, (proxy, method, arguments) -> {
                if (method.getName().equals("stat")) {
                    return CompletableFuture.completedFuture(DIRECTORY);
                }
                return Optional.ofNullable(listings.poll())
                        .orElseThrow(() -> new BackendException(Code.UNAVAILABLE, "away"));
            });

    @Test
    void shouldFailWhenTheNextDirectoryCannotBeListed() {
        // given
        CompletableFuture<List<Entry>> first = new CompletableFuture<>();
        listings.add(first);
        CompletableFuture<Optional<FilePath>> found = LinkSearch.in(backend, FilePath.of("/d"));

        // when
        first.complete(List.of(DIRECTORY));

        // then
        assertThat(found).isDone();
        assertThatThrownBy(found::join).hasMessageContaining("away");
    }

    @Test
    void shouldFailWhenAServerTellsOfANameThatIsNone() {
        // given
        listings.add(CompletableFuture.completedFuture(List.of(DIRECTORY.withName(".."))));

        // when
        CompletableFuture<Optional<FilePath>> found = LinkSearch.in(backend, FilePath.of("/d"));

        // then
        assertThat(found).isCompletedExceptionally();
    }
}
