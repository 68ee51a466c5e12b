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

    private final Hold hold = new Hold(
            (Link) Proxy.newProxyInstance(
                    Link.class.getClassLoader(), new Class<?>[] {Link.class}, (self, method, arguments) -> {
                        if (method.getName().equals("awaitConnection")) {
                            return connected.getAsBoolean();
                        }
                        asked.add((String) arguments[0]);
                        return new TopicSubscriptions(Set.of("s" + asked.size()), "");
                    }),
            delay);

    private void holdMany() {
        for (int i = 0; i < MANY; i++) {
            int number = i;
            hold.add(() -> back.add(number));
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

        // when
        connected = () -> true;
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
        // given
        hold.add(() -> {});
        delay.fire();

        // when
        TopicSubscriptions first = hold.topic("a");
        TopicSubscriptions second = hold.topic("a");
        hold.topic("b");

        // then
        assertThat(second).isSameAs(first);
        assertThat(asked).containsExactly("a", "b");

        // when
        hold.add(() -> {});
        delay.fire();

        // then
        assertThat(hold.topic("a").known()).containsExactly("s3");
    }
}
