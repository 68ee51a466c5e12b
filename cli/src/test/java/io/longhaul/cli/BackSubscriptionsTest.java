package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.Delivered;
import io.longhaul.wire.Receipt;
import io.longhaul.wire.Receipt.Outcome;
import io.longhaul.wire.TransferId;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class BackSubscriptionsTest {
    @TempDir
    private Path home;

    private List<String> said(Outcome outcome, String path, boolean json) {
        Receipt receipt = new Receipt(
                new TransferId(0, 1), "t", "s", "a", outcome, 7, "0".repeat(64), path, 0, "why", Optional.empty());
        CommonOptions options = new CommonOptions();
        options.json = json;
        try (TestEnvironment world = new TestEnvironment(home)) {
            BackSubscriptions.tell(
                    new Delivered(receipt, "f", home, 1.5, 0, 0, 0), options.console(world.environment()));
            return json ? world.out() : world.err();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldTellProgramsWhatBecameOfATransfer(Outcome outcome) {
        // given
        String path = outcome == Outcome.DELIVERED || outcome == Outcome.KEPT ? "f" : "";

        // then
        assertThat(said(outcome, path, true))
                .singleElement()
                .asString()
                .contains(
                        "\"event\":\"" + outcome.name().toLowerCase(Locale.ROOT) + "\"",
                        "\"name\":\"f\"",
                        "\"reason\":\"why\"");
    }

    @Test
    void shouldTellPeopleOfWhatFailedOnly() {
        // then
        assertThat(said(Outcome.FAILED, "", false))
                .containsExactly("longhaul: \"f\" of topic t, transfer " + new TransferId(0, 1)
                        + ", does not reach the server: why");
        assertThat(said(Outcome.DELIVERED, "f", false)).isEmpty();
    }
}
