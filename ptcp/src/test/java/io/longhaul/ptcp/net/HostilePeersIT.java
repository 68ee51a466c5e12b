package io.longhaul.ptcp.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.frame.Answer;
import io.longhaul.ptcp.frame.Greeting;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Peers that never become part of a session: what they cost, and that nobody else notices. */
class HostilePeersIT {
    private static final int MANY = 1000;

    /** For strangers whom something else than their silence ends. */
    private static final Duration LONG = Duration.ofSeconds(10);

    private static final Greeting OPEN = Greeting.open(2, 65_536, 1 << 20);

    @Test
    void shouldServeOnWhenPortsAreScanned() throws Exception {
        // given
        try (Site site = new Site(MANY)) {
            // when
            for (int i = 0; i < 500; i++) {
                Stranger scanner = Stranger.connect(site.port());
                if (i % 2 == 0) {
                    scanner.reset();
                } else {
                    scanner.close();
                }
            }

            // then
            site.assertUnharmed();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "\u0016\u0003\u0001", "SSH-2.0-x\r\n", "PTCX", "random"})
    void shouldCloseWithoutAWordWhenBytesAreNoGreeting(String words) throws Exception {
        // given
        byte[] bytes = Stranger.text(words);
        if (words.equals("random")) {
            bytes = Stranger.random(50_000);
        }
        try (Site site = new Site(MANY)) {
            // when
            for (int i = 0; i < 50; i++) {
                try (Stranger stranger = Stranger.connect(site.port())) {
                    try {
                        stranger.send(bytes);
                    } catch (IOException e) {
                        // closed while still writing is closed too
                    }

                    // then
                    assertThat(stranger.rest()).isEmpty();
                }
            }
            site.awaitLine("garbage", "bytes that are no greeting");
            site.assertUnharmed();
        }
    }

    @Test
    void shouldCloseInTimeWhenAGreetingTricklesIn() throws Exception {
        // given
        try (Site site = new Site(MANY)) {
            long startNs = System.nanoTime();
            List<Stranger> slow = site.crowd(100);

            // when
            for (String one : List.of("P", "T", "C", "P", "\u0001", "\u0001", "\u0001")) {
                slow.forEach(stranger -> say(stranger, one));
            }
            Patience.await().pollInterval(Duration.ofMillis(50)).until(() -> {
                for (Stranger stranger : slow) {
                    try {
                        stranger.send(new byte[1]);
                    } catch (IOException e) {
                        return true;
                    }
                }
                return false;
            });

            // then
            assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isGreaterThan(Site.GREETING_LIMIT.dividedBy(2));
            for (Stranger stranger : slow) {
                assertThat(stranger.rest()).isEmpty();
            }
            Stranger.leave(slow);
            site.awaitLine("silence", "no greeting within 1000 ms");
            site.assertUnharmed();
        }
    }

    @Test
    void shouldCostLittleWhenThousandsSayOneByte() throws Exception {
        // given
        try (Site site = new Site(12_000)) {
            // when
            List<Stranger> crowd = site.crowd(2500);
            for (Stranger one : crowd) {
                one.send(new byte[] {'P'});
            }
            site.neighbour().assertUnharmed();

            // then
            assertThat(site.costs().moreSockets()).isLessThanOrEqualTo(5000);
            site.costs().assertMemoryWithin(48);
            Stranger.leave(crowd);
            site.assertUnharmed();
        }
    }

    @Test
    void shouldForgetSessionsWhenNoStreamComes() throws Exception {
        // given
        try (Site site = new Site(MANY, LONG)) {
            // when
            List<Stranger> half = site.crowd(100);
            for (Stranger one : half) {
                one.send(OPEN).answer();
            }
            for (int i = 0; i < 500; i++) {
                try (Stranger gone = Stranger.connect(site.port())) {
                    gone.send(OPEN).answer();
                }
            }

            // then
            for (Stranger one : half) {
                one.rest();
            }
            Stranger.leave(half);
            site.awaitLine("LOST", " ended: connection lost before its user was known");
            site.assertUnharmed();
        }
    }

    @Test
    void shouldTellOfTheSessionWhenItsOpenerIsSilent() throws Exception {
        // given
        try (Site site = new Site(MANY, LONG)) {
            // when
            try (Stranger silent = Stranger.connect(site.port())) {
                silent.send(OPEN).answer();
                silent.rest();
            }

            // then
            site.awaitLine("LOST", " ended: connection lost: no stream for 2000 ms");
            site.assertUnharmed();
        }
    }

    @Test
    void shouldLetTheOldestGoWhenTooManyAreSilent() throws Exception {
        // given
        try (Site site = new Site(20, LONG)) {
            List<Stranger> silent = site.crowd(5);
            site.neighbour().assertUnharmed();
            for (Stranger one : silent) {
                assertThat(one.isOpen()).isTrue();
            }

            // when
            Stranger newest = Stranger.connect(site.port());

            // then
            assertThat(silent.get(0).rest()).isEmpty();
            assertThat(silent.get(4).isOpen()).isTrue();
            assertThat(newest.isOpen()).isTrue();
            site.newcomer().stop();
            newest.close();
            Stranger.leave(silent);
            site.awaitLine("crowd", "still without a session");
            site.assertUnharmed();
        }
    }

    @Test
    void shouldRefuseByNameWhenThereAreTooManyMembers() throws Exception {
        // given
        try (Site site = new Site(20, LONG)) {
            List<Neighbour> members = new ArrayList<>();

            // when
            for (int i = 0; i < 4; i++) {
                members.add(site.newcomer());
                Neighbour last = members.get(i);
                Patience.await().until(() -> last.session().snapshot().streams().size() == 2);
            }

            // then
            assertThatThrownBy(() -> site.open(site.port()).get(Patience.SECONDS, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .hasMessageContaining("more than 15 connections of sessions")
                    .isInstanceOfSatisfying(
                            PtcpException.class, e -> assertThat(e.code()).isEqualTo(PtcpException.Code.FULL));
            for (Neighbour member : members) {
                member.assertUnharmed();
                member.stop();
            }
            site.assertUnharmed();
        }
    }

    /** A session with a stream that never says who it is. */
    private static List<Stranger> nobody(Site site) throws IOException {
        Stranger control = Stranger.connect(site.port());
        Answer answer = control.send(OPEN).answer();
        Stranger data = Stranger.connect(site.port());
        data.send(Greeting.further(Greeting.Kind.JOIN, answer.session(), 1, answer.secret()))
                .answer();
        return List.of(control, data);
    }

    @Test
    void shouldServeMembersAndNewcomersWhenSessionsOfNobodyTakeAllPlaces() throws Exception {
        // given
        try (Recorder recorder = new Recorder();
                Site site = new Site(20, recorder::to, true)) {
            int lines = recorder.lines().size();
            List<Stranger> crowd = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                crowd.addAll(nobody(site));
            }

            // when
            recorder.lines().get(0).cut();
            for (int i = 0; i < 10; i++) {
                crowd.addAll(nobody(site));
            }

            // then
            site.newcomer().stop();
            Patience.await()
                    .until(() -> recorder.lines().stream()
                            .skip(lines)
                            .anyMatch(line -> line.said().length > Greeting.BYTES));
            assertThat(crowd.get(0).rest()).isEmpty();
            assertThat(crowd.get(crowd.size() - 1).isOpen()).isTrue();
            site.awaitLine("crowd", "its user still unknown");
            Stranger.leave(crowd);
            site.assertUnharmed();
        }
    }

    @Test
    void shouldTellOfTheSessionWhenItsStreamSaysNothing() throws Exception {
        // given
        try (Site site = new Site(20, port -> port, true)) {
            // when
            Stranger.leave(nobody(site));

            // then
            site.awaitLine("LOST", " ended: connection lost before its user was known");
            site.assertUnharmed();
        }
    }

    /** Networks fail, for which no user is to blame. */
    @Test
    void shouldNotTellOfTheSessionWhenItsUserIsKnownAndLost() throws Exception {
        // given
        try (Site site = new Site(20, port -> port, true)) {
            List<Stranger> known = nobody(site);
            byte[] packet = Stranger.frame(1, 1, 0, (byte) 7);
            known.get(1).send(packet);
            assertThat(known.get(1).read(packet.length)).isEqualTo(packet);

            // when
            Stranger.leave(known);

            // then
            site.assertUnharmed();
            assertThat(site.lines()).noneMatch(line -> line.text().contains(" ended: "));
        }
    }

    @Test
    void shouldServeNewcomersWhenTenThousandConnect() throws Exception {
        // given
        int wave = 500;
        int maxStrangers = 400; // more than one loop can have put off when a newcomer is let in by another
        try (Site site = new Site(4 * maxStrangers, LONG)) {
            List<Stranger> before = new ArrayList<>();

            // when
            for (int i = 0; i < 20; i++) {
                List<Stranger> now = site.crowd(wave);
                for (int j = 0; j < wave; j += 3) {
                    say(now.get(j), i % 2 == 0 ? "PTCP" : "no greeting");
                    now.get(j + 1).close();
                }

                // then
                if (i % 2 == 0) {
                    site.newcomer().stop();
                }
                assertThat(site.costs().moreSockets()).isLessThan(2 * wave + 2 * maxStrangers);
                Stranger.leave(before);
                before = now;
            }
            site.costs().assertMemoryWithin(48);
            Stranger.leave(before);
            site.assertUnharmed();
        }
    }

    private static void say(Stranger stranger, String words) {
        try {
            stranger.send(Stranger.text(words));
        } catch (IOException e) {
            // it has been closed
        }
    }
}
