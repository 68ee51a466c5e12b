package io.longhaul.gridftp.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.call.Answer;
import io.longhaul.gridftp.call.Call;
import io.longhaul.gridftp.post.Number128;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Principal;
import io.longhaul.gridftp.spi.WriteRequest;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class DeliveryNoteTest {
    private static final DeliveryNote UNDER_WAY = new DeliveryNote(
            "front",
            Optional.empty(),
            new Call.Deliver(
                    new Principal("bob", false),
                    new Number128(1, 2),
                    WriteRequest.replace(FilePath.of("/f")),
                    Optional.empty(),
                    Call.Deliver.End.OPEN,
                    1),
            Optional.empty(),
            false,
            Optional.of("/.f.lh-1"));

    @Test
    void shouldForgetTheTemporaryNameWhenTheFileIsInPlace() {
        DeliveryNote delivered = UNDER_WAY.with(new Answer.Done());

        assertThat(DeliveryNote.of(delivered.text()).orElseThrow().temporary()).isEmpty();
    }

    @Test
    void shouldKeepTheTemporaryNameWhenTheDeliveryFailed() {
        DeliveryNote failed = UNDER_WAY.with(new Answer.Failed(Code.FAILED, "why"));

        assertThat(DeliveryNote.of(failed.text()).orElseThrow().temporary()).contains("/.f.lh-1");
    }
}
