package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.Delivered;
import io.longhaul.wire.Receipt;
import io.longhaul.wire.Receipt.Outcome;
import io.longhaul.wire.TransferId;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DeliveriesTest {
    @TempDir
    private Path home;

    private TestEnvironment world;
    private Deliveries deliveries;

    @BeforeEach
    void start() {
        world = new TestEnvironment(home);
        CommonOptions options = new CommonOptions();
        options.json = true;
        deliveries = new Deliveries(options.console(world.environment()), Optional.empty(), 2);
    }

    @AfterEach
    void stop() {
        world.close();
    }

    private void ended(long transfer, Outcome outcome) {
        ended(transfer, outcome, outcome == Outcome.FAILED ? "why" : "");
    }

    private void ended(long transfer, Outcome outcome, String reason) {
        Receipt receipt = new Receipt(
                new TransferId(0, transfer),
                "t",
                "s",
                "a",
                outcome,
                7,
                "0".repeat(64),
                outcome == Outcome.DELIVERED || outcome == Outcome.KEPT ? "f~1" : "",
                0,
                reason,
                Optional.empty());
        deliveries.ended(new Delivered(receipt, "f", home.resolve(receipt.path()), 1.5, 1, 2, 3));
    }

    @Test
    void shouldReachCountWhenTransfersEnd() {
        // when
        ended(1, Outcome.DELIVERED);
        assertThat(deliveries.reached()).isNotDone();
        ended(2, Outcome.KEPT);

        // then
        assertThat(deliveries.reached()).isDone();
        assertThat(deliveries.exitCode()).isZero();
    }

    @Test
    void shouldCountOnceWhenTransferIsToldTwice() {
        // when
        ended(1, Outcome.DELIVERED);
        ended(1, Outcome.DELIVERED);

        // then
        assertThat(deliveries.reached()).isNotDone();
    }

    @Test
    void shouldNotCountWhenTransferIsSuperseded() {
        // when
        ended(1, Outcome.SUPERSEDED);
        ended(2, Outcome.DELIVERED);

        // then
        assertThat(deliveries.reached()).isNotDone();
    }

    @Test
    void shouldTellEverythingWhenTransferFails() {
        // when
        ended(1, Outcome.FAILED);

        // then
        assertThat(deliveries.exitCode()).isEqualTo(ExitCodes.FAILED);
        assertThat(world.out())
                .containsExactly("{\"event\":\"failed\",\"transfer\":\"" + new TransferId(0, 1)
                        + "\",\"topic\":\"t\",\"subscription\":\"s\",\"name\":\"f\",\"path\":\"" + home
                        + "\",\"bytes\":7,\"digest\":\"" + "0".repeat(64)
                        + "\",\"seconds\":1.5,\"duplicatePieces\":1,\"duplicateBytes\":2,\"repairedBytes\":3,"
                        + "\"reason\":\"why\"}");
    }

    @Test
    void shouldNameWhatFailedWhenPeopleRead() {
        // given
        deliveries = new Deliveries(new CommonOptions().console(world.environment()), Optional.empty(), 2);

        // when
        ended(1, Outcome.FAILED);
        ended(2, Outcome.DELIVERED);

        // then
        assertThat(world.out())
                .containsExactly(
                        "failed " + new TransferId(0, 1) + " \"f\" in 1.50 s: why",
                        "delivered \"" + home.resolve("f~1") + "\" 7 bytes sha256:" + "0".repeat(64) + " in 1.50 s");
    }

    @Test
    void shouldEndAsVerificationFailedWhenBytesAreWrong() {
        // when
        ended(1, Outcome.FAILED, "digest: expected " + "1".repeat(64) + ", found " + "2".repeat(64));
        ended(2, Outcome.FAILED, "why");

        // then
        assertThat(deliveries.exitCode()).isEqualTo(ExitCodes.VERIFICATION);
    }

    @Test
    void shouldEndAsFailedWhenReasonOnlyQuotesANameWithThatWord() {
        // when
        ended(1, Outcome.FAILED, "name \"digests/a\": expected a directory at \"digests\", found a file");

        // then
        assertThat(deliveries.exitCode()).isEqualTo(ExitCodes.FAILED);
    }
}
