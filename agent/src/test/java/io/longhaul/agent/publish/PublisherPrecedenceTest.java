package io.longhaul.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.agent.Publication;
import io.longhaul.agent.PublishRequest;
import io.longhaul.agent.link.MemoryLink;
import io.longhaul.wire.Manifest;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several publications of one name: the later one is to win, so it is announced later. */
@Timeout(90)
class PublisherPrecedenceTest extends OneBench {
    private static final String NAME = "n";
    private static final int MANY = 12;

    private PublishRequest request(String file) {
        Path source = bench.file(file, Bench.bytes(10 * Bench.PIECE, file.hashCode()));
        return bench.request(source).withName(NAME);
    }

    private void fireUntilDone(Publication... publications) {
        for (Publication publication : publications) {
            bench.passUntilOver(publication);
            Bench.await(publication);
        }
    }

    private List<String> announced() {
        return bench.frames().stream()
                .filter(Manifest.class::isInstance)
                .map(frame -> ((Manifest) frame).transfer().toString())
                .toList();
    }

    private void awaitHeld() {
        while (bench.delay.waiting() == 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldAnnounceTheEarlierFirstWhenItHasWaitedForABroker() {
        // given
        bench.link.weather(MemoryLink.Weather.DOWN);
        Publication earlier = bench.publisher.publish(request("a"));
        awaitHeld();
        bench.link.weather(MemoryLink.Weather.FAIR);

        // when
        Publication later = bench.publisher.publish(request("b"));
        while (bench.link.asked() == 0) {
            Thread.onSpinWait();
        }
        fireUntilDone(earlier, later);

        // then
        assertThat(announced()).containsExactly(earlier.transfer(), later.transfer());
    }

    @Test
    void shouldAnnounceTheEarlierFirstWhenTheSpoolHasWaitedForABroker() {
        // given
        bench.link.weather(MemoryLink.Weather.DOWN);
        Publication earlier = bench.publisher.publish(request("a").withSpool(true));
        Bench.await(earlier.spooled());
        awaitHeld();
        bench.link.weather(MemoryLink.Weather.FAIR);

        // when
        Publication later = bench.publisher.publish(request("b").withSpool(true));
        while (bench.link.asked() == 0) {
            Thread.onSpinWait();
        }
        fireUntilDone(earlier, later);

        // then
        assertThat(announced()).containsExactly(earlier.transfer(), later.transfer());
    }

    @Test
    void shouldAnnounceTheEarlierFirstWhenItsStreamIsSilent() throws IOException {
        try (PipedInputStream silent = new PipedInputStream()) {
            Publication earlier;
            Publication later;
            try (PipedOutputStream writer = new PipedOutputStream(silent)) {
                // given
                earlier = bench.publisher.publish(
                        PublishRequest.of(silent, NAME, Bench.TOPIC).withPieceSize(Bench.PIECE));

                // when
                later = bench.publisher.publish(request("b"));
                fireUntilDone(later);
                writer.write(1);
            }
            fireUntilDone(earlier);

            // then
            assertThat(announced()).containsExactly(earlier.transfer(), later.transfer());
        }
    }

    @Test
    void shouldKeepTheirOrderWhenManyHaveWaitedForABroker() {
        // given
        bench.link.weather(MemoryLink.Weather.DOWN);
        List<Publication> publications = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            publications.add(bench.publisher.publish(request("f" + i).withSpool(true)));
        }
        publications.forEach(each -> Bench.await(each.spooled()));
        bench.link.weather(MemoryLink.Weather.FAIR);

        // when
        fireUntilDone(publications.toArray(Publication[]::new));

        // then
        assertThat(announced())
                .containsExactlyElementsOf(
                        publications.stream().map(Publication::transfer).toList());
    }

    @Test
    void shouldLetTheLaterPassWhenTheEarlierCannotGo() {
        // given
        bench.network.unknownBehind("broker hub waits for the link to leaf");
        Publication earlier = bench.publisher.publish(request("a").withReceipts(2));
        awaitHeld();

        // when
        Publication later = bench.publisher.publish(request("b"));
        fireUntilDone(later);

        // then
        assertThat(announced()).containsExactly(later.transfer());
        assertThat(earlier.result()).isNotDone();
    }

    @Test
    void shouldGoWhenTheEarlierIsGivenUp() {
        // given
        bench.link.weather(MemoryLink.Weather.DOWN);
        Publication earlier = bench.publisher.publish(request("a"));
        awaitHeld();
        bench.link.weather(MemoryLink.Weather.FAIR);
        Publication later = bench.publisher.publish(request("b"));

        // when
        earlier.cancel();

        // then
        Bench.await(later);
        assertThat(announced()).containsExactly(later.transfer());
    }
}
