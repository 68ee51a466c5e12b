package io.longhaul.gridftp.front;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.Accounts;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Listings of a back end that does not say what is there. */
final class UnansweredListingsIT {
    @TempDir
    private Path root;

    private final List<String> asked = new CopyOnWriteArrayList<>();

    /** Fails whatever it is asked for. */
    private Backend failing(Code code) {
        return (Backend) Proxy.newProxyInstance(
                UnansweredListingsIT.class.getClassLoader(),
                new Class<?>[] {Backend.class},
                (proxy, method, arguments) -> {
                    asked.add(method.getName());
                    return CompletableFuture.failedFuture(new BackendException(code, "/*.nc: Connection timed out"));
                });
    }

    @ParameterizedTest
    @CsvSource({"UNAVAILABLE, 451", "LASTING, 451", "NOT_LOGGED_IN, 530"})
    void shouldWaitOnceWhenNobodySaysWhetherAPatternIsAName(Code code, int reply) {
        // given
        Fronts front = Fronts.of(root, Fronts.config(), Accounts.anonymous(), backend -> failing(code));

        // when
        try (front;
                FtpClient client = FtpClient.anonymous(front.port())) {
            client.passive();
            client.expect(reply, "NLST *.nc");
        }

        // then
        assertThat(asked).containsExactly("list");
    }
}
