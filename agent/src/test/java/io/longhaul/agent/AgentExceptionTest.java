package io.longhaul.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AgentExceptionTest {
    @Test
    void shouldSayInOneLineWhatWasSaidInSeveral() {
        // given
        String said = "stream broke off: no more\r\n  of it\n\n";

        // when, then
        assertThat(new AgentException(AgentException.Code.TRANSFER_FAILED, said))
                .hasMessage("stream broke off: no more; of it");
        assertThat(new AgentException(AgentException.Code.TRANSFER_FAILED, said, new IllegalStateException()))
                .hasMessage("stream broke off: no more; of it");
    }
}
