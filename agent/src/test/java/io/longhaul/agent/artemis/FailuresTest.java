package io.longhaul.agent.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.artemis.Failures.Verdict;
import io.longhaul.agent.link.LinkException.Code;
import org.apache.activemq.artemis.api.core.ActiveMQAddressFullException;
import org.apache.activemq.artemis.api.core.ActiveMQInternalErrorException;
import org.apache.activemq.artemis.api.core.ActiveMQNonExistentQueueException;
import org.apache.activemq.artemis.api.core.ActiveMQSecurityException;
import org.junit.jupiter.api.Test;

class FailuresTest {
    @Test
    void shouldSendAgainOnTheNextConnectionWhenThisOneFailed() {
        assertThat(Failures.verdict(new ActiveMQInternalErrorException("broken"), true))
                .isEqualTo(Verdict.LOST);
    }

    @Test
    void shouldTryAgainWhenTheConnectionLives() {
        assertThat(Failures.verdict(new ActiveMQInternalErrorException("broken"), false))
                .isEqualTo(Verdict.RETRY);
        assertThat(Failures.verdict(new IllegalStateException("broken"), false)).isEqualTo(Verdict.RETRY);
    }

    @Test
    void shouldJudgeWhatTheBrokerSaysWhateverBecomesOfTheConnection() {
        assertThat(Failures.verdict(new ActiveMQSecurityException("no"), false)).isEqualTo(Verdict.REFUSED);
        assertThat(Failures.verdict(new ActiveMQAddressFullException("full"), true))
                .isEqualTo(Verdict.RETRY);
    }

    @Test
    void shouldOpenAQueueAgainWhenItWasRemovedBeforeItWasConsumed() {
        assertThat(Failures.translate("receipts of topic t", new ActiveMQNonExistentQueueException("gone"))
                        .code())
                .isEqualTo(Code.UNREACHABLE);
    }
}
