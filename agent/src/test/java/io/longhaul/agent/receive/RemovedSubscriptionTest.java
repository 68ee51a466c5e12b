package io.longhaul.agent.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.storage.Direction;
import io.longhaul.storage.Disk;
import io.longhaul.wire.Frame;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A subscription is removed while one transfer is here and another one is on its way. */
class RemovedSubscriptionTest {
    @TempDir
    Path directory;

    private final List<String> notices = new ArrayList<>();
    private Rig rig;
    private List<Frame> unfinished;

    @BeforeEach
    void receive() {
        rig = new Rig(directory);
        rig.sinceAgo = Optional.of(Duration.ofHours(1));
        rig.open();
        unfinished =
                Shipment.file(2, "g", Shipment.random(2, 10 * Shipment.PIECE)).frames();
        rig.publish(Shipment.file(1, "f", Shipment.random(1, 50_000)));
        rig.publish(unfinished.subList(0, 5));
        rig.run();
        assertThat(rig.leftovers()).isNotEmpty();
        rig.kill();
    }

    private void remove(Unpromised unpromised) {
        new RemovedSubscription(rig.ledger, rig.disk, unpromised, notices::add)
                .forget(Shipment.TOPIC, Rig.SUBSCRIPTION);
    }

    private static boolean run(String transfer, Runnable task) {
        task.run();
        return true;
    }

    @Test
    void shouldForgetWhatIsUnfinishedAndKeepWhatWasDelivered() {
        // when
        remove(RemovedSubscriptionTest::run);

        // then
        assertThat(rig.ledger.transfers(Direction.INCOMING))
                .singleElement()
                .satisfies(row -> assertThat(row.name()).isEqualTo("f"));
        assertThat(rig.leftovers()).isEmpty();
        assertThat(rig.content()).containsOnlyKeys("f");
        assertThat(notices)
                .singleElement()
                .asString()
                .contains(Rig.SUBSCRIPTION)
                .endsWith("unfinished transfers: 1");
    }

    @Test
    void shouldLeaveNoFilesThatNobodyRemembersWhenItsProcessEndsMidway() {
        // given
        Disk real = rig.disk;
        rig.disk = (Disk) Proxy.newProxyInstance(
                Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (self, method, arguments) -> {
                    if (method.getName().equals("deleteTree")) {
                        throw new IllegalStateException("killed");
                    }
                    return method.invoke(real, arguments);
                });
        assertThatThrownBy(() -> remove(RemovedSubscriptionTest::run)).hasMessage("killed");
        rig.disk = real;

        // when
        remove(RemovedSubscriptionTest::run);

        // then
        assertThat(rig.leftovers()).isEmpty();
    }

    /** A receipt that says that it failed would be the last word. */
    @Test
    void shouldTakeItAnewWhenTheSubscriptionIsMadeAgain() {
        // given
        remove(RemovedSubscriptionTest::run);

        // when
        rig.open();
        rig.publish(unfinished);
        rig.run();

        // then
        assertThat(rig.content()).containsOnlyKeys("f", "g");
        assertThat(rig.receipts()).hasSize(2);
    }

    @Test
    void shouldCatchUpAnewWhenTheSubscriptionIsMadeAgain() {
        // given
        assertThat(rig.ledger.settings("catch-up.")).hasSize(1);

        // when
        remove(RemovedSubscriptionTest::run);

        // then
        assertThat(rig.ledger.settings("catch-up.")).isEmpty();
    }

    @Test
    void shouldKeepWhatOthersWerePromisedRepairsOf() {
        // when
        remove((transfer, task) -> false);

        // then
        assertThat(rig.ledger.transfers(Direction.INCOMING)).hasSize(2);
        assertThat(rig.leftovers()).isNotEmpty();
        assertThat(notices)
                .singleElement()
                .asString()
                .endsWith("unfinished transfers: 0; kept, as others were promised repairs of it: 1");
    }

    @Test
    void shouldSayNothingWhenNothingIsUnfinished() {
        // given
        rig.open();
        rig.publish(unfinished);
        rig.run();
        rig.kill();

        // when
        remove(RemovedSubscriptionTest::run);

        // then
        assertThat(notices).isEmpty();
        assertThat(rig.content()).containsOnlyKeys("f", "g");
    }
}
