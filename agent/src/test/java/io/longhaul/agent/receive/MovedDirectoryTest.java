package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.storage.Direction;
import io.longhaul.storage.Disk;
import io.longhaul.storage.TransferState;
import io.longhaul.wire.Frame;
import io.longhaul.wire.Receipt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A subscription that is served into another directory, since the one before is gone. */
class MovedDirectoryTest {
    private static final byte[] CONTENT = Shipment.random(1, 10_000);
    private static final List<Frame> FRAMES = Shipment.file(1, "a/f", CONTENT).frames();

    @TempDir
    Path directory;

    private Rig rig;
    private Path second;

    /** The rig's directory is a link, which leads elsewhere later. */
    @BeforeEach
    void prepare() throws IOException {
        rig = new Rig(directory);
        second = Files.createDirectory(directory.resolve("second"));
        Files.createSymbolicLink(rig.into, Files.createDirectory(directory.resolve("first")));
    }

    private TransferState state() {
        return rig.ledger
                .transfer(Direction.INCOMING, Shipment.id(1).toString(), Rig.SUBSCRIPTION)
                .orElseThrow()
                .state();
    }

    private void move() throws IOException {
        rig.kill();
        Disk.real().deleteTree(directory.resolve("first"));
        Files.delete(rig.into);
        Files.createSymbolicLink(rig.into, second);
        rig.open();
    }

    @Test
    void shouldTellWhereItIsWhenItBeganInTheOneBefore() throws IOException {
        // given
        rig.open().publish(FRAMES.subList(0, 1));
        rig.run();

        // when
        move();
        rig.publish(FRAMES.subList(1, FRAMES.size()));
        rig.run();

        // then
        assertThat(rig.ended)
                .singleElement()
                .satisfies(delivered -> assertThat(delivered.path())
                        .isEqualTo(second.toRealPath().resolve("a/f"))
                        .hasBinaryContent(CONTENT));
        assertThat(rig.receipts()).extracting(Receipt::path).containsExactly("a/f");
    }

    @Test
    void shouldGoOnWhenOneThatHadItsNameWentWithTheOneBefore() throws IOException {
        // given
        rig.target = Optional.of((path, name) -> {
            rig.journal.crashAt(rig.journal.steps().size(), false);
            return CompletableFuture.completedFuture(null);
        });
        rig.open().publish(FRAMES);
        assertThatThrownBy(rig::run).hasStackTraceContaining("Crash");
        assertThat(state()).isEqualTo(TransferState.PLACING);

        // when
        rig.target = Optional.empty();
        move();
        rig.publish(Shipment.file(2, "g", CONTENT));
        rig.run();

        // then
        assertThat(rig.receipts()).extracting(Receipt::path).containsExactly("a/f", "g");
        assertThat(second.resolve("g")).hasBinaryContent(CONTENT);
    }
}
