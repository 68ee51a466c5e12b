package io.longhaul.gridftp.data;

import io.longhaul.gridftp.FrontLimits;
import io.longhaul.gridftp.protocol.Reply;
import io.netty.channel.EventLoop;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What transfers of a session are given of the world.
 *
 * @param loop that everything runs on
 * @param limits what clients may use up
 * @param replies takes preliminary replies
 * @param clock for the times in markers
 * @param nanoTime for durations
 * @param arriving of all sessions
 */
public record TransferContext(
        EventLoop loop,
        FrontLimits limits,
        Consumer<Reply> replies,
        Clock clock,
        LongSupplier nanoTime,
        ArrivingBytes arriving) {

    /** Hands the outcome of something over to the loop. */
    <T> void onLoop(CompletableFuture<T> future, BiConsumer<T, Throwable> then) {
        future.whenComplete((done, failure) -> {
            if (loop.inEventLoop()) {
                then.accept(done, failure);
            } else {
                loop.execute(() -> then.accept(done, failure));
            }
        });
    }
}
