package io.longhaul.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.AgentException;
import io.longhaul.broker.BrokerException;
import io.longhaul.ptcp.PtcpException;
import io.longhaul.storage.StorageException;
import io.longhaul.wire.WireException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ExitCodesTest {

    @ParameterizedTest
    @CsvSource({"USAGE,2", "UNREACHABLE,3", "TRANSFER_FAILED,4", "VERIFICATION_FAILED,5", "INTERRUPTED,6", "REFUSED,7"})
    void shouldFollowAgentWhenItFails(AgentException.Code code, int exit) {
        // then
        assertThat(ExitCodes.of(new AgentException(code, "x"))).isEqualTo(exit);
    }

    @ParameterizedTest
    @CsvSource({"NO_SPACE,7", "IN_USE,7", "VERSION,7", "CLOSED,7", "DAMAGED,5", "IO,4"})
    void shouldFollowStoreWhenItFails(StorageException.Code code, int exit) {
        // then
        assertThat(ExitCodes.of(new StorageException(code, "x"))).isEqualTo(exit);
    }

    @ParameterizedTest
    @CsvSource({"BAD_CONFIG,2", "IN_USE,7", "CANNOT_LISTEN,7", "NO_SPACE,7", "BAD_DATA,5", "FAILED,4"})
    void shouldFollowBrokerWhenItFails(BrokerException.Code code, int exit) {
        // then
        assertThat(ExitCodes.of(new BrokerException(code, "x"))).isEqualTo(exit);
    }

    @Test
    void shouldBeUsageWhenArgumentIsWrong() {
        // then
        assertThat(ExitCodes.of(new WireException("x"))).isEqualTo(2);
        assertThat(ExitCodes.of(new IllegalArgumentException("x"))).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        "UNREACHABLE,3",
        "STRANGER,3",
        "REFUSED,7",
        "VERSION,7",
        "FULL,7",
        "TLS,3",
        "PROXY,3",
        "PROTOCOL,4",
        "LOST,4"
    })
    void shouldTellHowAMeasurementFailed(PtcpException.Code code, int expected) {
        // then
        assertThat(ExitCodes.of(new PtcpException(code, "x"))).isEqualTo(expected);
    }

    @Test
    void shouldBeFailureWhenNothingBetterIsKnown() {
        // then
        assertThat(ExitCodes.of(new IllegalStateException("x"))).isEqualTo(4);
    }
}
