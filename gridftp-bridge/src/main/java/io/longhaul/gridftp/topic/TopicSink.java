package io.longhaul.gridftp.topic;

import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Quorum;
import io.longhaul.gridftp.spi.Sink;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/** Bytes on their way to a topic: kept here until they are whole, and then published. */
final class TopicSink implements Sink {
    private final Sink staging;
    private final Intake intake;
    private final FilePath path;
    private final Quorum quorum;

    TopicSink(Sink staging, Intake intake, FilePath path, Quorum quorum) {
        this.staging = staging;
        this.intake = intake;
        this.path = path;
        this.quorum = quorum;
    }

    @Override
    public CompletableFuture<Void> write(long position, ByteBuf bytes) {
        return named(staging.write(position, bytes));
    }

    @Override
    public CompletableFuture<Void> force() {
        return named(staging.force());
    }

    /** The number that is told is always the file's length: nothing is at its place before all of it is. */
    @Override
    public CompletableFuture<Entry> commit(LongConsumer progress) {
        return named(intake.publish(path, staging, quorum, progress));
    }

    @Override
    public CompletableFuture<Void> suspend() {
        return named(staging.suspend());
    }

    @Override
    public CompletableFuture<Void> abort() {
        return named(staging.abort());
    }

    /** Failures of the store name what nobody knows but the front. */
    private <T> CompletableFuture<T> named(CompletableFuture<T> future) {
        return Refusals.words(Intake.slot(path), path).told(future);
    }
}
