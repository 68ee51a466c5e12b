package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.AgentException;
import io.longhaul.agent.SubscribeRequest;
import io.longhaul.agent.link.LinkException;
import io.longhaul.storage.StorageException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StopTest {
    private static final SubscribeRequest REQUEST = SubscribeRequest.of("t.one", "mirror", Path.of("in"));

    /** The same start would be refused, too. */
    @ParameterizedTest
    @EnumSource(
            value = LinkException.Code.class,
            names = {"FORBIDDEN", "NAME_IN_USE"})
    void shouldBeARefusalWhenTheBrokerSaysNo(LinkException.Code code) {
        // when
        AgentException stop = Stop.of(REQUEST, new LinkException(code, "the user lacks the right"));

        // then
        assertThat(stop.code()).isEqualTo(AgentException.Code.REFUSED);
        assertThat(stop).hasMessage("subscription mirror of topic t.one stopped: the user lacks the right");
    }

    @Test
    void shouldBeAnInterruptionWhenANewStartGoesOn() {
        assertThat(Stop.of(REQUEST, new LinkException(LinkException.Code.FAILED, "odd frame"))
                        .code())
                .isEqualTo(AgentException.Code.INTERRUPTED);
        assertThat(Stop.of(REQUEST, new StorageException(StorageException.Code.IO, "disk"))
                        .code())
                .isEqualTo(AgentException.Code.INTERRUPTED);
    }

    @Test
    void shouldBeAFailureWhenTheDataDirectoryIsGone() {
        assertThat(Stop.of(REQUEST, new StorageException(StorageException.Code.LOST, "moved"))
                        .code())
                .isEqualTo(AgentException.Code.TRANSFER_FAILED);
    }
}
