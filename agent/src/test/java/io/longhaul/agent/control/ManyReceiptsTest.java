package io.longhaul.agent.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.storage.Direction;
import io.longhaul.storage.Ledger;
import io.longhaul.storage.ReceiptRow;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.Receipt;
import io.longhaul.wire.TransferId;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
import org.junit.jupiter.api.Test;

class ManyReceiptsTest {
    private static final int RECEIPTS = 2_000;
    private static final int LOOK_EVERY = 500;
    private static final int MOST_HELD = 10;

    private final List<WeakReference<ReceiptRow>> made = new ArrayList<>();
    private int told;
    private long mostHeld;

    private ReceiptRow row(Direction direction, int number) {
        Receipt receipt = new Receipt(
                new TransferId(direction.ordinal(), number),
                "t",
                "s",
                "agent",
                Receipt.Outcome.DELIVERED,
                number,
                "ab".repeat(32),
                "path",
                number,
                "",
                Optional.empty());
        ReceiptRow row = new ReceiptRow(
                direction,
                receipt.transfer().toString(),
                "t",
                "s",
                number,
                new String(FrameCodec.toJson(receipt), StandardCharsets.UTF_8));
        made.add(new WeakReference<>(row));
        return row;
    }

    /** A ledger that makes its receipts as they are read, and has nothing else. */
    @SuppressWarnings("unchecked")
    private Ledger ledger() {
        return (Ledger) Proxy.newProxyInstance(
                Ledger.class.getClassLoader(), new Class<?>[] {Ledger.class}, (self, method, arguments) -> {
                    switch (method.getName()) {
                        case "forEachReceipt" -> {
                            for (int i = 0; i < RECEIPTS; i++) {
                                ((ObjLongConsumer<ReceiptRow>) arguments[1])
                                        .accept(row((Direction) arguments[0], i), i);
                            }
                        }
                        case "forEachRefusedReceipt" -> {
                            for (int i = RECEIPTS; i < 2 * RECEIPTS; i++) {
                                ((Consumer<ReceiptRow>) arguments[0]).accept(row(Direction.OUTGOING, i));
                            }
                        }
                        case "receiptKeys", "transfers" -> {
                            return List.of();
                        }
                        case "receiptChainEnd", "receiptPlace", "receiptPlaceBefore" -> {
                            return Optional.empty();
                        }
                        default -> throw new UnsupportedOperationException(method.getName());
                    }
                    return null;
                });
    }

    private void look() {
        told++;
        if (told % LOOK_EVERY == 0) {
            System.gc();
            mostHeld = Math.max(
                    mostHeld, made.stream().filter(each -> each.get() != null).count());
        }
    }

    @Test
    void shouldHoldNoReceiptOnceItWasToldOf() {
        // when
        LedgerReport.receipts(ledger(), ReceiptSelection.ALL, line -> look());

        // then
        assertThat(told).isEqualTo(3 * RECEIPTS);
        assertThat(mostHeld).isLessThan(MOST_HELD);
    }
}
