package io.longhaul.gridftp.post;

import java.nio.ByteBuffer;

/**
 * Carries messages to other endpoints and hands on those that come. A message may be lost, come twice, or late, or before
 * one that was sent earlier. Thread-safe.
 */
public interface Post extends AutoCloseable {
    /** The longest message in bytes. */
    int MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

    /** What goes first where messages wait. */
    enum Urgency {
        /** Commands, answers, and what keeps blocks flowing. */
        URGENT,
        /** Blocks. */
        BULK
    }

    /** Takes what comes. */
    interface Listener {
        /**
         * A message has come; on a thread of the post, and must not block it for long.
         *
         * @param from name of the endpoint that sent it
         * @param message the listener's to keep
         */
        void received(String from, ByteBuffer message);

        /** The post was cut off and is not any more: what was under way is probably lost. */
        void reconnected();
    }

    /** Returns the name under which others send to this endpoint. */
    String name();

    /**
     * Sends a message; blocks while too much is on its way, so it must not be called on an event loop.
     *
     * @param message at most {@value #MAX_MESSAGE_BYTES} bytes; the caller's again when this returns
     * @throws IllegalArgumentException when it is longer
     */
    void send(String to, Urgency urgency, ByteBuffer message) throws InterruptedException;

    /** Begins to hand on what comes; called once. */
    void listen(Listener listener);

    @Override
    void close();
}
