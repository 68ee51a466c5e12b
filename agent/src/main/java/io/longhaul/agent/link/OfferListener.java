package io.longhaul.agent.link;

import java.util.function.Consumer;

/** Learns what became of an offered frame; exactly one of the two is called, once. Must not block or throw. */
public interface OfferListener {
    /** The network has the frame on disk. */
    void safe();

    /** The network will not take the frame; sending it again would not help. */
    void refused(LinkException reason);

    /** Called before {@link #safe} or {@link #refused} each time the frame had to be sent again. */
    default void resent() {}

    /** Returns one for frames of which it only matters that they are not on their way any more. */
    static OfferListener whenOver(Runnable over) {
        return new OfferListener() {
            @Override
            public void safe() {
                over.run();
            }

            @Override
            public void refused(LinkException reason) {
                over.run();
            }
        };
    }

    /** Returns one for frames of which only the refusal matters. */
    static OfferListener whenRefused(Consumer<LinkException> refused) {
        return new OfferListener() {
            @Override
            public void safe() {}

            @Override
            public void refused(LinkException reason) {
                refused.accept(reason);
            }
        };
    }
}
