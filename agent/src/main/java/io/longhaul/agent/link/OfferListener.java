package io.longhaul.agent.link;

/** Learns what became of an offered frame; exactly one of the two is called, once. Must not block or throw. */
public interface OfferListener {
    /** The network has the frame on disk. */
    void safe();

    /** The network will not take the frame; sending it again would not help. */
    void refused(LinkException reason);

    /** Called before {@link #safe} or {@link #refused} each time the frame had to be sent again. */
    default void resent() {}
}
