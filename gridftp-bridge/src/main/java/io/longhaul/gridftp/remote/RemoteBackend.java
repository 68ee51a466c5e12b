package io.longhaul.gridftp.remote;

import io.longhaul.gridftp.call.Answer;
import io.longhaul.gridftp.call.Call;
import io.longhaul.gridftp.call.Caller;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.Backend;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.ChecksumAlgorithm;
import io.longhaul.gridftp.spi.Directory;
import io.longhaul.gridftp.spi.Entry;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Principal;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.Source;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.gridftp.transfer.FrontTransfers;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongConsumer;

/** The files of a user behind another endpoint. Owns nothing; thread-safe. */
final class RemoteBackend implements Backend {
    private final Caller caller;
    private final FrontTransfers transfers;
    private final Ends ends;
    private final String endpoint;
    private final Principal user;

    /** Hears what became of a transfer. */
    @FunctionalInterface
    interface Ends {
        void ended(TransferEnd.Kind kind, FilePath path, long bytes, Optional<String> failure);
    }

    RemoteBackend(Caller caller, FrontTransfers transfers, Ends ends, String endpoint, Principal user) {
        this.caller = caller;
        this.transfers = transfers;
        this.ends = ends;
        this.endpoint = endpoint;
        this.user = user;
    }

    private <A extends Answer, T> CompletableFuture<T> ask(Call call, Class<A> expected, Function<A, T> result) {
        return ask(call, expected, result, done -> {});
    }

    private <A extends Answer, T> CompletableFuture<T> ask(
            Call call, Class<A> expected, Function<A, T> result, LongConsumer progress) {
        CompletableFuture<Void> unwanted = new CompletableFuture<>();
        CompletableFuture<Answer> asked = caller.call(endpoint, call, working -> {
            try {
                progress.accept(working.bytes());
            } catch (CancellationException e) {
                unwanted.complete(null);
            }
        });
        unwanted.thenRun(() -> asked.cancel(false));
        CompletableFuture<T> answered = asked.thenApply(answer -> {
            if (!expected.isInstance(answer)) {
                throw new BackendException(
                        BackendException.Code.FAILED,
                        "endpoint " + endpoint + ": expected " + expected.getSimpleName() + " as an answer to "
                                + call.type().wireName() + ", found "
                                + answer.type().wireName());
            }
            return result.apply(expected.cast(answer));
        });
        // which ends the repeating when it is the answer that was cancelled
        answered.whenComplete((done, failure) -> asked.cancel(false));
        return answered;
    }

    private CompletableFuture<Void> ask(Call call) {
        return ask(call, Answer.Done.class, done -> null);
    }

    private CompletableFuture<Void> change(Call call, FilePath... paths) {
        return transfers.changingSpooled(endpoint, List.of(paths), () -> ask(call));
    }

    private CompletableFuture<Void> use(Call call, FilePath path) {
        return transfers.usingSpooled(endpoint, path, () -> ask(call));
    }

    @Override
    public CompletableFuture<Entry> stat(FilePath path) {
        return transfers.looking(
                endpoint, path, () -> ask(new Call.Stat(user, path), Answer.Found.class, Answer.Found::entry));
    }

    @Override
    public CompletableFuture<List<Entry>> list(FilePath path) {
        return ask(new Call.ListDirectory(user, path), Answer.Listed.class, Answer.Listed::entries);
    }

    @Override
    public CompletableFuture<Directory> directory(FilePath path) {
        return ask(new Call.ListDirectory(user, path), Answer.Listed.class, Function.identity())
                .thenCompose(listed -> listed.self()
                        .map(CompletableFuture::completedFuture)
                        // an older back
                        .orElseGet(() -> stat(path))
                        .thenApply(self -> new Directory(self, listed.entries())));
    }

    @Override
    public CompletableFuture<Void> makeDirectory(FilePath path) {
        return ask(new Call.MakeDirectory(user, path));
    }

    @Override
    public CompletableFuture<Void> removeDirectory(FilePath path) {
        return change(new Call.RemoveDirectory(user, path), path);
    }

    @Override
    public CompletableFuture<Void> deleteFile(FilePath path) {
        return change(new Call.DeleteFile(user, path), path);
    }

    @Override
    public CompletableFuture<Void> rename(FilePath from, FilePath to) {
        return change(new Call.Rename(user, from, to), from, to);
    }

    @Override
    public CompletableFuture<Void> setModified(FilePath path, Instant time) {
        return use(new Call.SetModified(user, path, time), path);
    }

    @Override
    public CompletableFuture<Void> setMode(FilePath path, int mode) {
        return use(new Call.SetMode(user, path, mode), path);
    }

    @Override
    public CompletableFuture<String> checksum(
            FilePath path, ChecksumAlgorithm algorithm, ByteRange range, LongConsumer progress) {
        Call.Checksum sum = new Call.Checksum(user, path, algorithm, range);
        return transfers.usingSpooled(
                endpoint, path, () -> ask(sum, Answer.Digits.class, Answer.Digits::digits, progress));
    }

    @Override
    public CompletableFuture<Source> read(FilePath path, List<ByteRange> ranges) {
        return transfers
                .read(endpoint, user, path, ranges)
                .thenApply(source -> new NotedSource(
                        source, (bytes, failure) -> ends.ended(TransferEnd.Kind.DOWNLOAD, path, bytes, failure)));
    }

    @Override
    public CompletableFuture<Sink> write(WriteRequest request) {
        return transfers
                .write(endpoint, user, request)
                .thenApply(sink -> new NotedSink(
                        sink, (bytes, failure) -> ends.ended(TransferEnd.Kind.UPLOAD, request.path(), bytes, failure)));
    }

    @Override
    public void close() {
        // the contents belong to all users
    }
}
