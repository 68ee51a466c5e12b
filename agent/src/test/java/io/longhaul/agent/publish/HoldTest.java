package io.longhaul.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.link.Link;
import io.longhaul.agent.link.LinkException;
import io.longhaul.agent.link.TopicSubscriptions;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Many runs that the network cannot take for now. */
class HoldTest {
    private static final int MANY = 1_000;

    private final ManualDelay delay = new ManualDelay();
    private final List<String> asked = new ArrayList<>();
    private final List<Integer> back = new ArrayList<>();
    private BooleanSupplier connected = () -> true;
    private long nowNs = -5;
    private int over;

    private final Hold hold = new Hold(
            (Link) Proxy.newProxyInstance(
                    Link.class.getClassLoader(), new Class<?>[] {Link.class}, (self, method, arguments) -> {
                        if (method.getName().equals("awaitConnection")) {
                            return connected.getAsBoolean();
                        }
                        asked.add((String) arguments[0]);
                        return new TopicSubscriptions(Set.of("s" + asked.size()), "");
                    }),
            delay,
            () -> nowNs);

    private void holdMany() {
        for (int i = 0; i < MANY; i++) {
            int number = i;
            hold.add(() -> number < over, () -> back.add(number));
        }
    }

    @Test
    void shouldBringAllBackWithOneTimer() {
        // given
        holdMany();
        assertThat(delay.waiting()).isEqualTo(1);

        // when
        delay.fire();

        // then
        assertThat(back).hasSize(MANY).isSorted();
        assertThat(delay.waiting()).isZero();
    }

    @Test
    void shouldLeaveAllAloneWhileThereIsNoBrokerToAsk() {
        // given
        connected = () -> false;
        holdMany();

        // when
        delay.fire();

        // then
        assertThat(back).isEmpty();
        assertThat(delay.waiting()).isEqualTo(1);
        assertThat(hold.isOutage()).isTrue();

        // when
        connected = () -> true;
        delay.fire();

        // then
        assertThat(back).hasSize(MANY);
        assertThat(hold.isOutage()).isFalse();
    }

    @Test
    void shouldNotTakeItForAnOutageThatOthersWaitForASubscription() {
        // when
        holdMany();

        // then
        assertThat(hold.isOutage()).isFalse();
    }

    @Test
    void shouldForgetInAnOutageWhatWasGivenUp() {
        // given
        connected = () -> false;
        holdMany();
        over = MANY - 1;
        delay.fire();

        // when
        connected = () -> true;
        delay.fire();

        // then
        assertThat(back).containsExactly(MANY - 1);
    }

    @Test
    void shouldStopToLookForTheBrokerWhenAllWereGivenUp() {
        // given
        connected = () -> false;
        holdMany();
        over = MANY;

        // when
        delay.fire();

        // then
        assertThat(delay.waiting()).isZero();
        assertThat(hold.isOutage()).isFalse();

        // when
        over = 0;
        connected = () -> true;
        holdMany();
        delay.fire();

        // then
        assertThat(back).hasSize(MANY);
    }

    @Test
    void shouldBringAllBackToLearnWhyThereWillBeNoBroker() {
        // given
        connected = () -> {
            throw new LinkException(LinkException.Code.UNAUTHENTICATED, "wrong password");
        };
        holdMany();

        // when
        delay.fire();

        // then
        assertThat(back).hasSize(MANY);
    }

    @Test
    void shouldAskOnceForAllThatComeBackTogether() {
        // when
        TopicSubscriptions first = hold.topic("a");
        TopicSubscriptions second = hold.topic("a");
        hold.topic("b");

        // then
        assertThat(second).isSameAs(first);
        assertThat(asked).containsExactly("a", "b");

        // when
        nowNs += 1_000_000_000L;

        // then
        assertThat(hold.topic("a").known())
                .as("who comes back may have waited for its turn since")
                .containsExactly("s3");
    }
}
