package io.longhaul.ptcp.session;

import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.PtcpException;
import io.longhaul.ptcp.PtcpListener;
import io.longhaul.ptcp.PtcpSession;
import io.longhaul.ptcp.frame.Greeting;
import io.longhaul.ptcp.frame.Secret;
import io.longhaul.ptcp.frame.SessionId;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Both ends of a session over connections in memory, to which a seed does what networks do, with time of its own. */
final class SessionPair {
    private static final int STEPS = 400;
    private static final int MOST_STEPS_TO_END = 5_000;
    private static final int LATE_STEPS = 1000; // 6 s: longer than who is alone waits
    private static final int REST_STEPS = 600; // a minute
    private static final Duration REST_STEP = Duration.ofMillis(100);
    private static final int WRITE_STEPS = 20;
    private static final int MOST_WRITTEN = 40_000;
    private static final int WINDOW = 256 * 1024;

    /** What one end's user sends, gets and hears. */
    private static final class User implements PtcpListener {
        private long written;
        private long read;
        private boolean exact = true;
        private boolean ended;
        private @Nullable PtcpException cause;

        private static byte at(long position) {
            return (byte) (position * 31 + (position >> 8));
        }

        void write(PtcpSession session, ByteBuf bytes, int length) {
            for (int i = 0; i < length; i++) {
                bytes.writeByte(at(written++));
            }
            session.write(bytes);
        }

        @Override
        public void received(ByteBuf bytes) {
            while (bytes.isReadable()) {
                exact &= bytes.readByte() == at(read++);
            }
        }

        @Override
        public void writabilityChanged(boolean writable) {}

        @Override
        public void closed(@Nullable PtcpException why) {
            ended = true;
            cause = why;
        }
    }

    private final Random random;
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true, true);
    private final Wires wires = new Wires(allocator);
    private final User opener = new User();
    private final User acceptor = new User();
    private final Session near;
    private final Session far;

    SessionPair(long seed) {
        random = new Random(seed);
        Wire first = wires.make();
        int streams = 1 + random.nextInt(4);
        int packet = 1024 << random.nextInt(5);
        SessionTerms terms = new SessionTerms(SessionId.NONE, Secret.random(random), streams, packet, WINDOW, WINDOW);
        PtcpConfig config = PtcpConfig.defaults().withStreams(streams).withSizes(packet, WINDOW);
        near = new Session(terms, config, first.near, this::dial, made -> opener, cause -> {}, wires::nanoTime);
        far = new Session(terms, config, first.far, null, made -> acceptor, cause -> {}, wires::nanoTime);
    }

    /** Fails now and then, but not when the session would be lost with it. */
    private CompletableFuture<Channel> dial(Greeting.Kind kind, int number) {
        if (acceptor.ended) {
            return CompletableFuture.failedFuture(new PtcpException(PtcpException.Code.REFUSED, "no such session"));
        }
        if (!near.snapshot().streams().isEmpty() && random.nextInt(4) == 0) {
            return CompletableFuture.failedFuture(new PtcpException(PtcpException.Code.UNREACHABLE, "a bad moment"));
        }
        Wire wire = wires.make();
        if (kind == Greeting.Kind.RESUME) {
            far.resume(wire.far);
        } else {
            far.join(number, wire.far);
        }
        return CompletableFuture.completedFuture(wire.near);
    }

    private Wire anyWire() {
        List<Wire> open = wires.open();
        return open.get(random.nextInt(open.size()));
    }

    private void step() {
        switch (wires.open().isEmpty() ? 0 : random.nextInt(24)) {
            case 0, 1, 2 -> write(opener, near);
            case 3, 4 -> write(acceptor, far);
            case 5 -> near.setReading(random.nextBoolean());
            case 6 -> far.setReading(random.nextBoolean());
            case 7 -> {
                if (random.nextInt(4) == 0) {
                    anyWire().kill();
                }
            }
            default -> anyWire().carry(random.nextBoolean(), random.nextInt(60_000), random);
        }
        wires.pass(Duration.ofMillis(random.nextInt(12)));
    }

    private void write(User user, Session session) {
        int length = 1 + random.nextInt(random.nextBoolean() ? 100 : MOST_WRITTEN);
        user.write(session, allocator.directBuffer(length), length);
    }

    private boolean isAnyOver() {
        return opener.ended || acceptor.ended;
    }

    private boolean isOver() {
        return opener.ended && acceptor.ended;
    }

    /** Lets both write while connections die, then closes one and lets everything arrive. */
    void run() {
        begin();
        far.setReading(true);
        (random.nextBoolean() ? near : far).close();
        for (int i = 0; i < MOST_STEPS_TO_END && !isOver(); i++) {
            carry();
        }
        end();
    }

    /** Closes both while connections die; the acceptor's reader goes on for good only after the opener has gone. */
    void runWithLateReader() {
        begin();
        near.close();
        far.close();
        int late = LATE_STEPS;
        for (int i = 0; i < MOST_STEPS_TO_END && !isOver(); i++) {
            if (!opener.ended) {
                far.setReading(random.nextInt(4) == 0);
                wires.pass(Duration.ZERO); // or a last word could go to a connection that is dead before it is taken
                if (!isAnyOver() && !wires.open().isEmpty() && random.nextInt(100) == 0) {
                    anyWire().kill();
                }
            } else if (late-- == 0) {
                far.setReading(true);
            }
            carry();
        }
        end();
    }

    /** The acceptor's reader rests, longer than anybody without an answer waits; then everything arrives. */
    void runWithRestingReader() {
        begin();
        far.setReading(false);
        for (int i = 0; i < REST_STEPS; i++) {
            if (i % WRITE_STEPS == 0) {
                write(opener, near);
            }
            wires.open().forEach(wire -> {
                wire.carry(true, MOST_WRITTEN, random);
                wire.carry(false, MOST_WRITTEN, random);
            });
            wires.pass(REST_STEP);
        }
        far.setReading(true);
        near.close();
        for (int i = 0; i < MOST_STEPS_TO_END && !isOver(); i++) {
            carry();
        }
        end();
    }

    private void begin() {
        near.start();
        far.start();
        for (int i = 0; i < STEPS; i++) {
            step();
        }
        near.setReading(true);
    }

    private void carry() {
        for (Wire wire : wires.open()) {
            if (random.nextInt(4) == 0) {
                wire.carry(random.nextBoolean(), 1 + random.nextInt(60_000), random);
            }
        }
        wires.pass(Duration.ofMillis(random.nextInt(12)));
    }

    private void end() {
        wires.pass(Duration.ofSeconds(2));
        wires.release();
    }

    /** Returns what came of it. */
    String story() {
        return "opener wrote " + opener.written + ", read " + opener.read + ", ended " + opener.ended + " with "
                + opener.cause + "; acceptor wrote " + acceptor.written + ", read " + acceptor.read + ", ended "
                + acceptor.ended + " with " + acceptor.cause + "; still held "
                + allocator.metric().usedDirectMemory();
    }

    /** Returns whether both ended in order, have all of the other's bytes, and hold no memory. */
    boolean isSound() {
        return isOver()
                && opener.cause == null
                && acceptor.cause == null
                && opener.exact
                && acceptor.exact
                && opener.read == acceptor.written
                && acceptor.read == opener.written
                && allocator.metric().usedDirectMemory() == 0;
    }
}
