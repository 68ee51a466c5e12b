package io.longhaul.agent.artemis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.agent.link.LinkException;
import io.longhaul.agent.link.LinkException.Code;
import io.longhaul.agent.link.LinkListener;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WelcomeTest {
    private static final LinkException REFUSED = new LinkException(Code.UNAUTHENTICATED, "login refused");
    private static final LinkException AWAY = new LinkException(Code.UNREACHABLE, "cannot connect");

    private final List<String> told = new ArrayList<>();
    private final Welcome welcome = new Welcome();
    private final LinkListener listener = new LinkListener() {
        @Override
        public void disconnected(String why) {
            told.add(why);
        }
    };

    @Test
    void shouldRefuseQuestionsWhenLoginWasNeverGood() {
        // given
        welcome.failed(AWAY, listener);
        welcome.check();

        // when
        welcome.failed(REFUSED, listener);

        // then
        assertThatThrownBy(welcome::check)
                .isInstanceOfSatisfying(
                        LinkException.class, e -> assertThat(e.code()).isEqualTo(Code.UNAUTHENTICATED))
                .hasMessage("login refused");
    }

    @Test
    void shouldGoOnWhenLoginWasGoodBefore() {
        // given
        welcome.granted();

        // when
        welcome.failed(REFUSED, listener);

        // then
        assertThatCode(welcome::check).doesNotThrowAnyException();
        assertThat(told).containsExactly("login refused");
    }

    @Test
    void shouldTellEachKindOfFailureOnceWhenItRepeats() {
        // when
        for (LinkException failure : List.of(AWAY, AWAY, REFUSED, REFUSED, AWAY)) {
            welcome.failed(failure, listener);
        }

        // then
        assertThat(told).containsExactly("cannot connect", "login refused", "cannot connect");
    }

    @Test
    void shouldLeaveOutageToTheLinkWhenThereWasAConnection() {
        // given
        welcome.granted();

        // when
        welcome.failed(AWAY, listener);

        // then
        assertThat(told).isEmpty();
    }
}
