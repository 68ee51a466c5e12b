package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.storage.Ledger;
import io.longhaul.storage.LedgerChange;
import io.longhaul.storage.StorageException;
import io.longhaul.wire.Receipt;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Want of space while a tree is put together. */
class TreeSpaceTest {
    @TempDir
    Path directory;

    /** Of the commits of a tree's entries any may fail, not only the last. */
    @Test
    void shouldDeliverTheTreeWhenTheDiskWasFullForItsFirstEntries() {
        // given
        Rig rig = new Rig(directory);
        AtomicInteger failures = new AtomicInteger();
        rig.ledger = failingOnce(rig.ledger, failures);
        List<Shipment.Node> nodes = IntStream.range(0, 12)
                .mapToObj(i -> Shipment.Node.file("f" + (10 + i), Shipment.random(i, 900)))
                .toList();
        rig.publish(Shipment.tree(1, "t", nodes));

        // when
        rig.open().run(3_000_000_000L);

        // then
        assertThat(failures).hasValue(1);
        assertThat(rig.receipts()).extracting(Receipt::outcome).containsExactly(Receipt.Outcome.DELIVERED);
        assertThat(rig.into.resolve("t/f21")).hasBinaryContent(Shipment.random(11, 900));
    }

    /** Fails the first commit of a tree's entries, as a ledger does: by its future. */
    private static Ledger failingOnce(Ledger ledger, AtomicInteger failures) {
        return (Ledger) Proxy.newProxyInstance(
                Ledger.class.getClassLoader(), new Class<?>[] {Ledger.class}, (self, method, arguments) -> {
                    boolean entries = method.getName().equals("commit")
                            && ((List<?>) arguments[0]).get(0) instanceof LedgerChange.PutEntries;
                    if (entries && failures.compareAndSet(0, 1)) {
                        return CompletableFuture.failedFuture(
                                new StorageException(StorageException.Code.NO_SPACE, "no space for entries"));
                    }
                    try {
                        return method.invoke(ledger, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }
}
