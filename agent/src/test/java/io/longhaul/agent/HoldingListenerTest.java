package io.longhaul.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.storage.StorageException;
import io.longhaul.wire.Receipt;
import io.longhaul.wire.TransferId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HoldingListenerTest {
    @Test
    void shouldTellTheApplicationAlsoWhenWhatIsPromisedCannotBeHeld() {
        // given
        Receipt receipt = new Receipt(
                new TransferId(7, 1),
                "climate.daily",
                "mirror-1",
                "site-b",
                Receipt.Outcome.DELIVERED,
                10,
                "ab".repeat(32),
                "rain.nc",
                0,
                "",
                Optional.empty());
        Delivered delivered = new Delivered(receipt, "rain.nc", Path.of("rain.nc"), 1, 0, 0, 0);
        List<Delivered> told = new ArrayList<>();
        HoldingListener listener = new HoldingListener(
                transfer -> {
                    throw new StorageException(StorageException.Code.NO_SPACE, "no inodes are left");
                },
                told::add);

        // when
        listener.ended(delivered);

        // then
        assertThat(told).containsExactly(delivered);
    }
}
