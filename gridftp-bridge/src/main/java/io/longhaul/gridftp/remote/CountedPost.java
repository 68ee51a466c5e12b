package io.longhaul.gridftp.remote;

import io.longhaul.gridftp.post.MessageKind;
import io.longhaul.gridftp.post.Post;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;

/** A post that counts the blocks of contents that cross it. Thread-safe. */
final class CountedPost implements Post {
    /** Where a message says its kind; {@code docs/protocol/endpoint.md}. */
    private static final int KIND_OFFSET = 1;

    private final Post post;
    private final LongAdder sent = new LongAdder();
    private final LongAdder received = new LongAdder();

    CountedPost(Post post) {
        this.post = post;
    }

    /** Returns the bytes of messages with blocks so far. */
    Traffic traffic() {
        return new Traffic(sent.sum(), received.sum());
    }

    private static long blockBytes(ByteBuffer message) {
        boolean isBlock = message.remaining() > KIND_OFFSET
                && message.get(message.position() + KIND_OFFSET) == MessageKind.BLOCK.code();
        return isBlock ? message.remaining() : 0;
    }

    @Override
    public String name() {
        return post.name();
    }

    @Override
    public void send(String to, Urgency urgency, ByteBuffer message) throws InterruptedException {
        sent.add(blockBytes(message));
        post.send(to, urgency, message);
    }

    @Override
    public void listen(Listener listener) {
        post.listen(new Listener() {
            @Override
            public void received(String from, ByteBuffer message) {
                received.add(blockBytes(message));
                listener.received(from, message);
            }

            @Override
            public void reconnected() {
                listener.reconnected();
            }
        });
    }

    @Override
    public void close() {
        post.close();
    }
}
