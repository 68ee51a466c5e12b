package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.agent.AgentException;
import io.longhaul.wire.Receipt;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OnwardTest {
    @TempDir
    private Path directory;

    @Test
    void shouldGiveNoReceiptBeforeTheTargetHasIt() {
        // given
        Rig rig = new Rig(directory);
        List<String> carried = new ArrayList<>();
        rig.target = Optional.of((path, name) -> {
            assertThat(path).isEqualTo(rig.into.resolve("a/file")).exists();
            assertThat(rig.receipts()).isEmpty();
            carried.add(name);
            return CompletableFuture.completedFuture(null);
        });

        // when
        rig.open().publish(Shipment.file(1, "a/file", Shipment.random(1, 9_000)));
        rig.run();

        // then
        assertThat(carried).containsExactly("a/file");
        assertThat(rig.receipts()).extracting(Receipt::outcome).containsExactly(Receipt.Outcome.DELIVERED);
        assertThat(rig.ended).hasSize(1);
    }

    @Test
    void shouldSayWhyAndLeaveNothingWhenTheTargetNeverWillHaveIt() {
        // given
        Rig rig = new Rig(directory);
        rig.target = Optional.of((path, name) -> CompletableFuture.failedFuture(
                new AgentException(AgentException.Code.TRANSFER_FAILED, name + ": Permission denied")));

        // when
        rig.open().publish(Shipment.file(1, "file", Shipment.random(1, 9_000)));
        rig.run();

        // then
        assertThat(rig.receipts()).singleElement().satisfies(receipt -> {
            assertThat(receipt.outcome()).isEqualTo(Receipt.Outcome.FAILED);
            assertThat(receipt.reason()).isEqualTo("file: Permission denied");
        });
        assertThat(rig.into.resolve("file")).doesNotExist();
    }

    @Test
    void shouldCarryItOnAgainWhenTheProcessDiedMeanwhile() {
        // given
        Rig rig = new Rig(directory);
        rig.target = Optional.of((path, name) -> {
            throw new AssertionError("killed");
        });
        rig.open().publish(Shipment.file(1, "file", Shipment.random(1, 9_000)));
        assertThatThrownBy(rig::run).hasStackTraceContaining("killed");
        rig.kill();

        // when
        List<String> carried = new ArrayList<>();
        rig.target = Optional.of((path, name) -> {
            assertThat(Files.exists(path)).isTrue();
            carried.add(name);
            return CompletableFuture.completedFuture(null);
        });
        rig.open().run();

        // then
        assertThat(carried).containsExactly("file");
        assertThat(rig.receipts()).extracting(Receipt::outcome).containsExactly(Receipt.Outcome.DELIVERED);
    }
}
