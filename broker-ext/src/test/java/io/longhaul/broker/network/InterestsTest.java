package io.longhaul.broker.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.wire.WireException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class InterestsTest {
    private static final String SUB = "lh.sub.t@s";
    private static final String OTHER = "lh.sub.t@o";
    private static final String TOPIC = "lh.topic.t";

    private final Interests interests = new Interests();

    private Set<String> told(String peer) {
        return interests.telling(peer, neighbour -> true, queue -> true);
    }

    @Test
    void shouldTellEveryNeighbourWhenAQueueIsKeptHere() {
        // when
        interests.keep(SUB);

        // then
        assertThat(told("x")).containsExactly(SUB);
        assertThat(told("y")).containsExactly(SUB);
    }

    @Test
    void shouldTellTheOthersOnlyWhenANeighbourWants() {
        // when
        Interests.Change change = interests.heard("x", true, Set.of(), Set.of(SUB));

        // then
        assertThat(change.wanted()).containsExactly(TOPIC);
        assertThat(told("y")).containsExactly(SUB);
        assertThat(told("x")).isEmpty();
    }

    @Test
    void shouldWantAnAddressUntilTheLastQueueIsGone() {
        // given
        interests.heard("x", true, Set.of(), Set.of(SUB, OTHER));

        // when
        Interests.Change first = interests.heard("x", false, Set.of(SUB), Set.of());
        Interests.Change last = interests.heard("x", false, Set.of(OTHER), Set.of());

        // then
        assertThat(first.unwanted()).isEmpty();
        assertThat(last.unwanted()).containsExactly(TOPIC);
    }

    @Test
    void shouldOweWhatLiesOnDiskUntilTheNeighbourSpeaks() {
        // given
        interests.owe("x", TOPIC, Set.of());

        // then
        assertThat(told("y")).containsExactly(TOPIC);
        assertThat(interests.wanted("x")).containsExactly(TOPIC);

        // when
        Interests.Change change = interests.heard("x", true, Set.of(), Set.of());

        // then
        assertThat(change.unwanted()).containsExactly(TOPIC);
        assertThat(told("y")).isEmpty();
    }

    @Test
    void shouldNotChangeWhenTheNeighbourSaysAgainWhatItWants() {
        // given
        interests.heard("x", true, Set.of(), Set.of(SUB));

        // when
        Interests.Change change = interests.heard("x", true, Set.of(), Set.of(SUB));

        // then
        assertThat(change.wanted()).isEmpty();
        assertThat(change.unwanted()).isEmpty();
    }

    @Test
    void shouldTellOnlyWhatTheNeighbourMayKnow() {
        // given
        interests.keep(SUB);
        interests.keep("lh.inbox.a");

        // then
        assertThat(interests.telling("x", neighbour -> true, queue -> queue.startsWith("lh.inbox.")))
                .containsExactly("lh.inbox.a");
    }

    @Test
    void shouldNameThoseWhoCoverAnAddressOnlyWhenTheyWantEveryQueue() {
        // given
        interests.heard("x", true, Set.of(), Set.of(SUB, OTHER));
        interests.heard("y", true, Set.of(), Set.of(SUB));
        interests.heard("z", true, Set.of(), Set.of(SUB));

        // then
        assertThat(interests.covering("x", TOPIC, peer -> true)).isEmpty();

        // when
        interests.heard("y", false, Set.of(), Set.of(OTHER));

        // then
        assertThat(interests.covering("x", TOPIC, peer -> true)).contains(Set.of("y", "z"));
        assertThat(interests.covering("x", TOPIC, peer -> peer.equals("z"))).isEmpty();
        assertThat(interests.covering("x", TOPIC, peer -> false)).isEmpty();
    }

    /** They may name the address for two different ones. */
    @Test
    void shouldCoverNothingWhenSomebodyBeyondIsKnownByTheAddressOnly() {
        // given
        interests.heard("x", true, Set.of(), Set.of(TOPIC));
        interests.heard("y", true, Set.of(), Set.of(TOPIC));

        // then
        assertThat(interests.covering("x", TOPIC, peer -> true)).isEmpty();
    }

    @Test
    void shouldCoverWhatANeighbourWantedBeforeOnlyWhenThatIsKnown() {
        // given
        interests.owe("unknown", TOPIC, Set.of());
        interests.owe("known", TOPIC, Set.of(SUB));
        interests.heard("y", true, Set.of(), Set.of(SUB));

        // then
        assertThat(interests.covering("unknown", TOPIC, peer -> true)).isEmpty();
        assertThat(interests.covering("known", TOPIC, peer -> true)).contains(Set.of("y"));
    }

    @Test
    void shouldNotTellForOneWhoIsAwayWhatAnotherReaches() {
        // given
        interests.heard("away", true, Set.of(), Set.of(SUB, OTHER));
        interests.heard("x", true, Set.of(), Set.of(SUB));

        // then
        assertThat(interests.telling("x", "x"::equals, queue -> true)).containsExactly(OTHER);
        assertThat(interests.telling("y", "x"::equals, queue -> true)).containsExactlyInAnyOrder(SUB, OTHER);
    }

    @Test
    void shouldTakeNothingInWhenANameIsMalformed() {
        // then
        assertThatThrownBy(() -> interests.heard("x", false, Set.of(), Set.of("nonsense")))
                .isInstanceOf(WireException.class);
        assertThat(told("y")).isEmpty();
    }

    @Test
    void shouldNameSubscriptionsHereAndElsewhere() {
        // given
        interests.keep(SUB);
        interests.keep("lh.receipts.t@p");
        interests.keep("lh.sub.t.longer@z");
        interests.heard("x", true, Set.of(), Set.of(OTHER));

        // then
        assertThat(interests.subscriptions("t")).containsExactly("o", "s");
        assertThat(interests.subscriptionsBehind("x", "t")).containsExactly("o");
        assertThat(interests.subscriptionsHere()).isEqualTo(2);
    }

    /** Somebody beyond has not spoken since that broker's start: nothing may be dropped for those alone that are known. */
    @Test
    void shouldNameNobodyBehindANeighbourThatNamesAnAddressAlone() {
        // given
        interests.heard("x", true, Set.of(), Set.of(SUB, "lh.topic.t"));
        List<String> before = interests.subscriptionsBehind("x", "t");

        // when
        interests.heard("x", false, Set.of(), Set.of(OTHER));
        interests.heard("x", false, Set.of("lh.topic.t"), Set.of());

        // then
        assertThat(before).isEmpty();
        assertThat(interests.subscriptionsBehind("x", "t")).containsExactly("o", "s");
    }

    @Test
    void shouldLeadToAPresentNeighbourWhenSeveralHaveAName() {
        // given
        interests.heard("away", true, Set.of(), Set.of(SUB));
        interests.heard("here", true, Set.of(), Set.of(SUB));

        // then
        assertThat(interests.wayTo(SUB, "here"::equals)).contains("here");
        assertThat(interests.wayTo(SUB, peer -> false)).contains("away");
        assertThat(interests.wayTo(OTHER, peer -> true)).isEmpty();
    }

    @Test
    void shouldLeadNowhereWhenANameIsKeptHere() {
        // given
        interests.heard("echo", true, Set.of(), Set.of(SUB));

        // when
        interests.keep(SUB);

        // then
        assertThat(interests.wayTo(SUB, peer -> true)).isEmpty();
    }

    @Test
    void shouldSayWhichNamesCameOrWentWhenANeighbourIsHeard() {
        // given
        interests.heard("x", true, Set.of(), Set.of(SUB));

        // then
        assertThat(interests
                        .heard("x", false, Set.of("lh.sub.t@unknown"), Set.of(OTHER))
                        .names())
                .containsExactly(OTHER);
        assertThat(interests.heard("x", true, Set.of(), Set.of()).names()).containsExactlyInAnyOrder(SUB, OTHER);
    }

    @Test
    void shouldSayWhoHasNotSpokenWhenAnAddressIsOwed() {
        // given
        interests.owe("silent", TOPIC, Set.of());
        interests.owe("other", "lh.topic.u", Set.of());
        interests.owe("x", TOPIC, Set.of());

        // when
        interests.heard("x", true, Set.of(), Set.of(SUB));

        // then
        assertThat(interests.unheard(TOPIC)).containsExactly("silent");

        // when
        interests.heard("silent", true, Set.of(), Set.of());

        // then
        assertThat(interests.unheard(TOPIC)).isEmpty();
    }

    @Test
    void shouldSayBehindWhomSomebodyHasNotSpokenWhenOnlyTheAddressIsNamed() {
        // given
        interests.heard("x", true, Set.of(), Set.of(TOPIC, SUB));

        // then
        assertThat(interests.unheard(TOPIC)).containsExactly("x");

        // when
        interests.heard("x", false, Set.of(TOPIC), Set.of(OTHER));

        // then
        assertThat(interests.unheard(TOPIC)).isEmpty();
    }

    @Test
    void shouldOweNothingWhenANeighbourIsNoMore() {
        // given
        interests.owe("gone", TOPIC, Set.of());

        // when
        interests.forget("gone");

        // then
        assertThat(interests.unheard(TOPIC)).isEmpty();
        assertThat(told("y")).isEmpty();
    }
}
