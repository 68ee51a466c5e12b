package io.longhaul.gridftp.post;

import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages through a post and hands each one that comes to the one who takes its kind. What cannot be read is
 * dropped, as if it had been lost. Thread-safe; made, then told who takes what, then opened.
 */
public final class PostOffice {
    private static final Logger LOG = LoggerFactory.getLogger(PostOffice.class);

    private final Post post;
    private final Map<MessageKind, Receiver> receivers = new EnumMap<>(MessageKind.class); // unchanged once opened
    private final List<Runnable> reconnects = new CopyOnWriteArrayList<>();

    /** Takes messages of some kinds. */
    @FunctionalInterface
    public interface Receiver {
        /** A message has come; on a thread of the post, and must not block it for long. */
        void received(String from, Message message);
    }

    /** Takes the post, which stays the caller's to close. */
    public PostOffice(Post post) {
        this.post = post;
    }

    /** Returns the own endpoint's name. */
    public String name() {
        return post.name();
    }

    /** Says who takes messages of these kinds; before {@link #open}. */
    public void handTo(Set<MessageKind> kinds, Receiver receiver) {
        kinds.forEach(kind -> receivers.put(kind, receiver));
    }

    /** Says what to do when the post was cut off and is not any more; on a thread of the post, must not block. */
    public void onReconnect(Runnable action) {
        reconnects.add(action);
    }

    /** Begins to hand on what comes. */
    public void open() {
        post.listen(new Post.Listener() {
            @Override
            public void received(String from, ByteBuffer message) {
                handOn(from, message);
            }

            @Override
            public void reconnected() {
                reconnects.forEach(Runnable::run);
            }
        });
    }

    private void handOn(String from, ByteBuffer bytes) {
        try {
            Message message = MessageCodec.decode(bytes);
            Receiver receiver = receivers.get(message.kind());
            if (receiver != null) {
                receiver.received(from, message);
            }
        } catch (MessageException e) {
            LOG.warn("message from endpoint {} dropped: {}", from, e.getMessage());
        }
    }

    /** Sends a message; blocks while too much is on its way. Blocks go behind everything else. */
    public void send(String to, Message message) throws InterruptedException {
        Post.Urgency urgency = message.kind() == MessageKind.BLOCK ? Post.Urgency.BULK : Post.Urgency.URGENT;
        post.send(to, urgency, MessageCodec.encode(message));
    }

    /** Sends a block that {@link MessageCodec#frameBlock} framed; the buffer is the caller's again when this returns. */
    public void sendBlock(String to, ByteBuffer frame) throws InterruptedException {
        post.send(to, Post.Urgency.BULK, frame);
    }

    /** The same for a small block without which what is said next is of no use: it stays before that. */
    public void pushBlock(String to, ByteBuffer frame) throws InterruptedException {
        post.send(to, Post.Urgency.URGENT, frame);
    }
}
