package io.longhaul.broker.link;

/** Is told what happens on a link's session: in order, on the session's event loop. Must not block. */
public interface LinkHandler {
    /** The session stands; nothing but {@link #ended} comes before. */
    void opened(LinkSession session);

    /** The other end says something. Whoever takes a {@link LinkFrame.Carried} releases its message. */
    void received(LinkSession session, LinkFrame frame);

    /** The session takes bytes again. */
    void writable(LinkSession session);

    /** The session has ended; called once. */
    void ended(LinkSession session, String why);
}
