package io.longhaul.agent.artemis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.agent.link.LinkException;
import io.longhaul.agent.link.OfferListener;
import io.longhaul.wire.Addresses;
import io.longhaul.wire.Cancel;
import io.longhaul.wire.Frame;
import io.longhaul.wire.Parcel;
import io.longhaul.wire.RepairRequest;
import io.longhaul.wire.TransferId;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SendWindowTest {
    private final AtomicLong nanos = new AtomicLong();
    private final SendWindow window = new SendWindow(2_500, nanos::get);
    private final List<Long> sent = new ArrayList<>();
    private final List<Long> resent = new ArrayList<>();
    private final List<Offer> offers = new ArrayList<>();

    @Test
    void shouldSendAtOnceWhenConnected() throws Exception {
        // given
        window.connected(offer -> sent.add(offer.sequence), () -> true);

        // when
        put();
        put();

        // then
        assertThat(sent).containsExactly(0L, 1L);
        assertThat(resent).isEmpty();
    }

    @Test
    void shouldSendAgainInOrderWhatHasNoOutcomeWhenConnectedAnew() throws Exception {
        // given
        window.connected(offer -> sent.add(offer.sequence), () -> true);
        put();
        put();
        window.settle(offers.get(0));
        window.disconnected();
        put();
        sent.clear();

        // when
        window.connected(offer -> sent.add(offer.sequence), () -> true);

        // then
        assertThat(sent).containsExactly(1L, 2L);
        assertThat(resent).as("the one that was never sent is not sent again").containsExactly(1L);
    }

    /** Nobody would tell of the dead one again. */
    @Test
    void shouldKeepTheLiveWireWhenADeadConnectionComesLate() throws Exception {
        // given
        window.connected(offer -> sent.add(offer.sequence), () -> true);

        // when
        window.connected(offer -> {}, () -> false);
        put();

        // then
        assertThat(sent).containsExactly(0L);
    }

    @Test
    void shouldBlockTheOffererWhenFullUntilSomethingIsSettled() throws Exception {
        // given
        put();
        put();

        // when
        CompletableFuture<Void> third = CompletableFuture.runAsync(this::putUnchecked);

        // then
        assertThatThrownBy(() -> third.get(50, TimeUnit.MILLISECONDS))
                .isInstanceOf(java.util.concurrent.TimeoutException.class);
        window.settle(offers.get(0));
        third.get(10, TimeUnit.SECONDS);
    }

    @Test
    void shouldLetAnUrgentOnePassWhenFull() throws Exception {
        // given
        SendWindow wide = new SendWindow(100_000, nanos::get);
        wide.connected(offer -> sent.add(offer.sequence), () -> true);
        wide.put(sequence -> parcel(sequence, 3, 99_000));

        // when
        wide.put(sequence -> parcel(sequence, 7, 1_000));

        // then
        assertThat(sent).as("bulk to the brim, and what is urgent beyond it").containsExactly(0L, 1L);
    }

    private static Offer parcel(long sequence, int priority, int bytes) {
        return new Offer(
                sequence,
                "a",
                new Parcel("front", ByteBuffer.allocate(bytes)),
                "",
                priority,
                OfferListener.whenRefused(reason -> {}));
    }

    @Test
    void shouldHoldEverythingWhilePausedAndProbeWithTheOldest() throws Exception {
        // given
        window.connected(offer -> sent.add(offer.sequence), () -> true);
        put();
        assertThat(window.pause()).isTrue();
        assertThat(window.pause()).isFalse();
        put();
        assertThat(sent).containsExactly(0L);

        // when
        window.probe();
        assertThat(sent).containsExactly(0L, 0L);
        window.settle(offers.get(0));
        boolean news = window.resume(offers.get(0));

        // then
        assertThat(news).isTrue();
        assertThat(sent).containsExactly(0L, 0L, 1L);
    }

    @Test
    void shouldSendWordsWhilePausedAndBeyondTheRest() throws Exception {
        // given
        SendWindow wide = new SendWindow(20_000, nanos::get);
        wide.connected(offer -> sent.add(offer.sequence), () -> true);
        wide.put(sequence -> parcel(sequence, 3, 18_900));
        wide.pause();

        // when
        wide.put(this::word);

        // then
        assertThat(sent).containsExactly(0L, 1L);
        assertThat(wide.isPaused()).isTrue();
    }

    @Test
    void shouldHoldAQuestionThatIsTooLongForAWordWhilePaused() throws Exception {
        // given
        SendWindow wide = new SendWindow(20_000, nanos::get);
        wide.connected(offer -> sent.add(offer.sequence), () -> true);
        wide.put(sequence -> parcel(sequence, 3, 1_000));
        wide.pause();
        sent.clear();

        // when
        wide.put(sequence -> question(sequence, 64));
        wide.put(sequence -> question(sequence, 16 * 1024));

        // then
        assertThat(sent).containsExactly(1L);
    }

    private Offer question(long sequence, int bitmapBytes) {
        RepairRequest question = new RepairRequest(new TransferId(1, 2), "s", "a", 0, new byte[bitmapBytes], "t");
        return offer(sequence, Addresses.inbox("h"), question);
    }

    @Test
    void shouldStayPausedWhenOnlyAWordIsTaken() throws Exception {
        // given
        window.connected(offer -> sent.add(offer.sequence), () -> true);
        put();
        window.put(this::word);
        window.pause();
        Offer word = offers.get(1);

        // when / then
        window.settle(word);
        assertThat(window.resume(word)).as("the body still waits").isFalse();
        window.settle(offers.get(0));
        assertThat(window.resume(word)).as("nothing else waits").isTrue();
    }

    @Test
    void shouldProbeWithAWordOnlyWhenThereIsNothingElse() throws Exception {
        // given
        window.connected(offer -> sent.add(offer.sequence), () -> true);
        window.put(this::word);
        put();
        window.pause();
        sent.clear();

        // when
        window.probe();
        window.settle(offers.get(1));
        window.probe();

        // then
        assertThat(sent).containsExactly(1L, 0L);
    }

    @Test
    void shouldNotProbeWithWhatHasItsOutcomeAndPerhapsNoBytesAnyMore() throws Exception {
        // given
        window.connected(offer -> sent.add(offer.sequence), () -> true);
        put();
        put();
        window.pause();
        window.decide(offers.get(0));
        sent.clear();

        // when
        window.probe();

        // then
        assertThat(sent).containsExactly(1L);
    }

    @Test
    void shouldTellOneCallerOfAnOutcomeAndDrainAfterIt() throws Exception {
        // given
        put();

        // when / then
        assertThat(window.decide(offers.get(0))).isTrue();
        assertThat(window.decide(offers.get(0))).isFalse();
        assertThat(window.drain(Duration.ZERO)).isFalse();
        window.settle(offers.get(0));
        assertThat(window.drain(Duration.ZERO)).isTrue();
    }

    @Test
    void shouldReturnWhatIsLeftWhenClosedAndRefuseMore() throws Exception {
        // given
        put();

        // when
        List<Offer> left = window.close();

        // then
        assertThat(left).containsExactly(offers.get(0));
        assertThatThrownBy(this::put)
                .isInstanceOfSatisfying(
                        LinkException.class, e -> assertThat(e.code()).isEqualTo(LinkException.Code.CLOSED));
    }

    private void putUnchecked() {
        try {
            put();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void put() throws InterruptedException {
        window.put(sequence -> cancel(sequence, Addresses.topic("t")));
    }

    /** What is not for a topic is taken also where bodies are not. */
    private Offer word(long sequence) {
        return cancel(sequence, Addresses.inbox("a"));
    }

    private Offer cancel(long sequence, String address) {
        return offer(sequence, address, new Cancel(new TransferId(1, 2), "why"));
    }

    private Offer offer(long sequence, String address, Frame frame) {
        Offer offer = new Offer(sequence, address, frame, "", 4, new OfferListener() {
            @Override
            public void safe() {}

            @Override
            public void refused(LinkException reason) {}

            @Override
            public void resent() {
                resent.add(sequence);
            }
        });
        offers.add(offer);
        return offer;
    }
}
