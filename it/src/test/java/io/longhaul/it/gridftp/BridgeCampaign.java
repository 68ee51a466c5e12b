package io.longhaul.it.gridftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.longhaul.it.gridftp.BridgeSites.Copy;
import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.TestFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Copies of files by globus-url-copy, during each of which one process is killed with SIGKILL at a random moment and started
 * again with the same arguments.
 */
final class BridgeCampaign {
    /** What a mirror asks for at a time. */
    private static final long WINDOW = 32 * TestFile.MIB;

    /** Headers and whatever else is said between the sites, for each byte of a file. */
    private static final double OVERHEAD = 0.02;

    private final BridgeSites sites;
    private final SplittableRandom random;
    private final long length;
    private final Map<String, Duration> usual = new HashMap<>();
    private int copies;

    BridgeCampaign(BridgeSites sites, long seed, long length) {
        this.sites = sites;
        this.random = new SplittableRandom(seed);
        this.length = length;
    }

    /** Returns the most that may cross the link for a file that was sent once, whatever was killed. */
    static long most(long length) {
        return length + WINDOW + TestFile.MIB + (long) (OVERHEAD * length);
    }

    /** Prepares a file to be copied. */
    Copy prepare(boolean isUpload, boolean isExtended) throws IOException {
        Copy copy = new Copy("f" + ++copies, isUpload, isExtended);
        TestFile.random(sites.source(copy), random.nextLong(), length);
        // who reads a file that was changed just now cannot know that it has not changed again
        Files.setLastModifiedTime(sites.source(copy), FileTime.from(Instant.parse("2020-01-01T00:00:00Z")));
        return copy;
    }

    /** Checks that the file has arrived with the right bytes, and removes it at both sites. */
    void finish(Copy copy) throws IOException {
        assertThat(Files.mismatch(sites.here(copy), sites.there(copy)))
                .as("%s of %s: first byte that differs", copy, copy.name())
                .isEqualTo(-1);
        Files.delete(sites.here(copy));
        Files.delete(sites.there(copy));
    }

    /** Lets copies of a kind go undisturbed, to know how long they take. */
    private Duration usual(boolean isUpload, boolean isExtended) throws IOException {
        Copy copy = prepare(isUpload, isExtended);
        Duration known = usual.get(copy.toString());
        if (known == null) {
            long before = sites.crossed();
            Child client = sites.begin(copy).expectExit(0);
            known = Duration.ofNanos(System.nanoTime() - client.startedNanos());
            usual.put(copy.toString(), known);
            System.out.printf(
                    "undisturbed: %d MiB %s in %d ms, %d KiB crossed beside it%n",
                    length / TestFile.MIB, copy, known.toMillis(), (sites.crossed() - before - length) / TestFile.KIB);
            finish(copy);
        } else {
            Files.delete(sites.source(copy));
        }
        return known;
    }

    /** Runs one round, again when the client has ended before anybody could be killed. */
    BridgeRound round(int number, BridgeVictim victim, boolean isUpload, boolean isExtended) throws IOException {
        Duration lasts = usual(isUpload, isExtended);
        Optional<BridgeRound> round = Optional.empty();
        while (round.isEmpty()) {
            Duration moment = lasts.multipliedBy(random.nextInt(1, 100)).dividedBy(100);
            round = round(number, victim, prepare(isUpload, isExtended), moment);
        }
        System.out.println(round.get());
        return round.get();
    }

    private Optional<BridgeRound> round(int number, BridgeVictim victim, Copy copy, Duration moment)
            throws IOException {
        long before = sites.crossed();
        Child client = sites.begin(copy);
        passes(moment);
        boolean isEarly = client.isAlive();
        sites.kill(victim);
        long restartedNs = System.nanoTime();
        if (victim == BridgeVictim.FRONT && isEarly) {
            int code = client.awaitExit(Child.PATIENCE);
            restartedNs = System.nanoTime();
            sites.start(victim);
            if (code != 0) {
                sites.begin(copy).expectExit(0);
            }
        } else {
            sites.start(victim);
            client.expectExit(0);
        }
        Duration recovery = Duration.ofNanos(System.nanoTime() - restartedNs);
        finish(copy);
        BridgeRound round = new BridgeRound(number, victim, copy, moment, recovery, sites.crossed() - before, length);
        return isEarly ? Optional.of(round) : Optional.empty();
    }

    /** Lets a time go by. */
    static void passes(Duration time) {
        await().pollDelay(time).atMost(time.plusSeconds(60)).until(() -> true);
    }
}
