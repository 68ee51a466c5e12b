package io.longhaul.gridftp.content;

import io.longhaul.gridftp.post.Message;
import io.longhaul.gridftp.post.Number128;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Blocks that came before anybody pulls their content: a holder sends what is small ahead of what says that there is something to
 * pull. A few of them are kept for a moment; what is not kept is pulled.
 *
 * <p>Belongs to the thread of {@link Mirrors}. Times are those of {@link System#nanoTime}.
 */
final class EarlyBlocks {
    private static final long KEPT_NS = Duration.ofSeconds(10).toNanos();
    private static final long MOST_BYTES = 16L * 1024 * 1024;

    private final Map<Key, Early> blocks = new LinkedHashMap<>(); // oldest first
    private long bytes;

    private record Key(Number128 content, String from) {}

    private record Early(Message.Block block, long sinceNs) {
        /** Returns what it takes at least, also of one without bytes. */
        long bytes() {
            return block.bytes().remaining() + 1024L;
        }
    }

    /** Keeps a block; of each content the first one that comes. */
    void add(String from, Message.Block block, long nowNs) {
        Early early = new Early(block, nowNs);
        if (blocks.putIfAbsent(new Key(block.content(), from), early) == null) {
            bytes += early.bytes();
            forget(nowNs);
        }
    }

    /** Returns the block of a content that a holder has sent, and forgets it. */
    Optional<Message.Block> take(Number128 content, String from) {
        Early early = blocks.remove(new Key(content, from));
        bytes -= early == null ? 0 : early.bytes();
        return Optional.ofNullable(early).map(Early::block);
    }

    /** Forgets the oldest where they are too old or too many. */
    void forget(long nowNs) {
        Iterator<Early> oldest = blocks.values().iterator();
        while (oldest.hasNext()) {
            Early early = oldest.next();
            if (nowNs - early.sinceNs < KEPT_NS && bytes <= MOST_BYTES) {
                return;
            }
            oldest.remove();
            bytes -= early.bytes();
        }
    }
}
