package io.longhaul.it.testbed;

import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;

/**
 * What a broker says of all links, asked once.
 *
 * @param answer the lines that tell it
 */
public record Topology(Answer answer) {
    /** Asks a broker that needs no login. */
    public static Topology of(Network asked) {
        return new Topology(asked.run(0, "topology", "--broker", asked.address()));
    }

    /**
     * Waits until brokers say that a link stands: they serve before their links do, and what is subscribed to is known beyond
     * those that do.
     */
    public static void awaitLink(String from, String to, Network... asked) {
        for (Network each : asked) {
            Awaitility.await().atMost(Child.PATIENCE).until(() -> of(each).ofLink(from, to, "streams") > 0);
        }
    }

    /** Returns a number that is said of a link; -1 when nothing is. */
    public long ofLink(String from, String to, String field) {
        return answer.events("broker").stream()
                .filter(line -> line.text("name").equals(from))
                .flatMap(line -> StreamSupport.stream(line.json().path("links").spliterator(), false))
                .filter(link -> link.path("peer").asText().equals(to))
                .mapToLong(link -> link.path(field).asLong())
                .findFirst()
                .orElse(-1);
    }
}
