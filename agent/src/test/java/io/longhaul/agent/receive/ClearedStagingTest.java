package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.storage.Disk;
import io.longhaul.storage.DiskFile;
import io.longhaul.wire.Receipt;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The receiver's own directory in its target, which somebody takes away at any moment. */
class ClearedStagingTest {
    @TempDir
    Path directory;

    private int steps;

    /** Returns the disk, or one of its files, where something happens before this step. */
    private Object stepped(Class<?> type, Object real, int when, Runnable action) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
            if (steps++ == when) {
                action.run();
            }
            try {
                Object result = method.invoke(real, arguments);
                return result instanceof DiskFile file ? stepped(DiskFile.class, file, when, action) : result;
            } catch (InvocationTargetException e) {
                throw e.getTargetException();
            }
        });
    }

    private static void clear(Path reserved, boolean itself) {
        if (!Files.isDirectory(reserved)) {
            return;
        }
        try (Stream<Path> found = Files.list(reserved)) {
            found.forEach(Disk.real()::deleteTree);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (itself) {
            Disk.real().deleteTree(reserved);
        }
    }

    private static Shipment shipment(boolean isTree) {
        byte[] content = Shipment.random(2, 20_000);
        return isTree
                ? Shipment.tree(
                        1,
                        "f",
                        List.of(
                                Shipment.Node.file("large", content),
                                Shipment.Node.file("small", Shipment.random(3, 100))))
                : Shipment.file(1, "f", content);
    }

    @ParameterizedTest
    @CsvSource({"false, false", "false, true", "true, false", "true, true"})
    void shouldGoOnAndRepairWhenItIsTakenAwayAtAnyStep(boolean isTree, boolean itself) {
        // the first step opens the directory: a subscription that cannot do that does not begin
        for (int when = 1; when < 1 + steps || when == 1; when++) {
            // given
            Rig rig = new Rig(directory.resolve("step" + when));
            steps = 0;
            int step = when;
            rig.disk =
                    (Disk) stepped(Disk.class, Disk.real(), step, () -> clear(rig.into.resolve(".longhaul"), itself));
            Shipment shipment = shipment(isTree);

            // when
            rig.publish(shipment.frames().subList(0, 3));
            rig.open().run();
            rig.publish(shipment.frames().subList(3, shipment.frames().size()));
            StubHolder.run(rig, 3_000_000_000L, new StubHolder(rig, "archive", 0, shipment));

            // then
            assertThat(rig.receipts())
                    .as("taken away before step " + step)
                    .extracting(Receipt::outcome)
                    .containsExactly(Receipt.Outcome.DELIVERED);
            assertThat(rig.into.resolve(isTree ? "f/large" : "f"))
                    .as("taken away before step " + step)
                    .hasBinaryContent(Shipment.random(2, 20_000));
        }
    }
}
