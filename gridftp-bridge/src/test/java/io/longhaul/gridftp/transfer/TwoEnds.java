package io.longhaul.gridftp.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.longhaul.gridftp.call.Answer;
import io.longhaul.gridftp.call.Call;
import io.longhaul.gridftp.call.Callee;
import io.longhaul.gridftp.call.Caller;
import io.longhaul.gridftp.content.ContentStore;
import io.longhaul.gridftp.content.Holder;
import io.longhaul.gridftp.content.Mirrors;
import io.longhaul.gridftp.post.FakePosts;
import io.longhaul.gridftp.post.FakeScheduler;
import io.longhaul.gridftp.post.Post;
import io.longhaul.gridftp.post.PostOffice;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Backends;
import io.longhaul.gridftp.spi.Block;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.Principal;
import io.longhaul.gridftp.spi.Sink;
import io.longhaul.gridftp.spi.Source;
import io.longhaul.gridftp.spi.WriteRequest;
import io.longhaul.storage.Disk;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** A front and a back on a network in memory, with a server in memory behind; either end can be killed and started again. */
final class TwoEnds {
    static final Principal USER = new Principal("anna", false);
    static final Duration LONG = Duration.ofMinutes(10);
    static final ContentStore.Limits LIMITS = new ContentStore.Limits(1L << 30, Duration.ofHours(24), 0, 100);

    final FakeScheduler time = new FakeScheduler();
    final MemoryBackend server = new MemoryBackend(time);
    final FakePosts posts;
    Backends backends = user -> server;
    Principal user = USER;
    Disk frontDisk = Disk.real();
    Disk backDisk = Disk.real();
    ContentStore.Limits frontLimits = LIMITS;
    ContentStore.Limits backLimits = LIMITS;
    long frontBoot = 1;
    long backBoot = 1;
    boolean untilDelivered = true;
    ContentStore frontStore;
    ContentStore backStore;
    private final Path directory;
    private final Random random;
    private FakeProcess frontProcess;
    private FakeProcess backProcess;
    private Uploads uploads;
    private Downloads downloads;
    private Changes changes;
    SpooledFirst spooled;

    TwoEnds(Path directory, long seed, FakePosts.Faults faults) {
        this.directory = directory;
        this.random = new Random(seed);
        this.posts = new FakePosts(time, seed, faults);
    }

    TwoEnds start() {
        startBack();
        startFront();
        return this;
    }

    private World world(FakeProcess process, ContentStore store) {
        return new World(store, process, process, time::nanoTime, time.clock(), random);
    }

    void startFront() {
        frontProcess = new FakeProcess(time);
        PostOffice office = new PostOffice(posts.post("front"));
        frontStore = ContentStore.open(directory.resolve("front"), frontDisk, frontLimits, time.clock(), frontBoot);
        World world = world(frontProcess, frontStore);
        Holder holder = new Holder(office, frontProcess, time::nanoTime);
        Mirrors mirrors = new Mirrors(office, frontProcess, frontProcess, time::nanoTime, Mirrors.Windows.DEFAULT);
        Caller caller = new Caller(
                office,
                new Caller.World(frontProcess, frontProcess, frontProcess, time::nanoTime, random),
                Caller.PATIENCE);
        uploads = new Uploads(world, caller, holder, untilDelivered);
        uploads.recover();
        spooled = new SpooledFirst(world, uploads);
        downloads = new Downloads(world, caller, mirrors);
        downloads.recover();
        office.open();
    }

    void startBack() {
        backProcess = new FakeProcess(time);
        Post post = posts.post("back");
        PostOffice office = new PostOffice(post);
        backStore = ContentStore.open(directory.resolve("back"), backDisk, backLimits, time.clock(), backBoot);
        World world = world(backProcess, backStore);
        Holder holder = new Holder(office, backProcess, time::nanoTime);
        Mirrors mirrors = new Mirrors(office, backProcess, backProcess, time::nanoTime, Mirrors.Windows.DEFAULT);
        changes = Changes.open(world, backDisk);
        Deliveries deliveries = new Deliveries(world, backends, mirrors, changes);
        deliveries.recover();
        Fetches fetches = new Fetches(world, backends, holder, new byte[32], changes);
        fetches.recover();
        new Callee(
                office,
                (from, call, age, progress) -> {
                    if (call instanceof Call.Checksum sum) {
                        return backends.of(sum.user())
                                .checksum(sum.path(), sum.algorithm(), sum.range(), progress)
                                .thenApply(Answer.Digits::new);
                    }
                    return call instanceof Call.Deliver deliver
                            ? deliveries.deliver(from, deliver, progress)
                            : fetches.fetch(from, (Call.Fetch) call, age);
                },
                backProcess,
                time::nanoTime);
        office.open();
    }

    void killFront() {
        frontProcess.kill();
        posts.post("front").close();
    }

    void killBack() {
        backProcess.kill();
        posts.post("back").close();
    }

    /** Lets time pass until it is done. */
    <T> T await(CompletableFuture<T> future) {
        assertThat(time.runUntil(future::isDone, LONG))
                .as("done within %s", LONG)
                .isTrue();
        return future.join();
    }

    Sink write(WriteRequest request) {
        return await(writing(request));
    }

    CompletableFuture<Sink> writing(WriteRequest request) {
        return uploads.write("back", user, request);
    }

    Sink write(String path) {
        return write(WriteRequest.replace(FilePath.of(path)));
    }

    CompletableFuture<Source> reading(String path, ByteRange... ranges) {
        return downloads.read(
                "back",
                user,
                FilePath.of(path),
                ranges.length == 0 ? List.of(new ByteRange(0, Long.MAX_VALUE)) : List.of(ranges));
    }

    /** Writes a part of the bytes in pieces. */
    void send(Sink sink, byte[] bytes, int from, int to) {
        for (int at = from; at < to; ) {
            int length = Math.min(to - at, 1 + random.nextInt(200_000));
            await(sink.write(at, Unpooled.copiedBuffer(bytes, at, length)));
            at += length;
        }
    }

    void upload(String path, byte[] bytes) {
        Sink sink = write(path);
        send(sink, bytes, 0, bytes.length);
        await(sink.commit(done -> {}));
    }

    byte[] download(String path, ByteRange... ranges) {
        return rest(await(reading(path, ranges)), Integer.MAX_VALUE);
    }

    /** Reads so many bytes at least, or up to the end. */
    byte[] rest(Source source, int most) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Optional<Block> block;
        do {
            block = await(source.next());
            block.ifPresent(each -> {
                byte[] bytes = new byte[each.bytes().readableBytes()];
                each.bytes().readBytes(bytes).release();
                out.writeBytes(bytes);
            });
        } while (block.isPresent() && out.size() < most);
        if (block.isEmpty()) {
            source.close();
        }
        return out.toByteArray();
    }

    /** Changes a byte of every content of an end. */
    void damage(String end) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory.resolve(end), "*.bytes")) {
            for (Path file : files) {
                byte[] bytes = Files.readAllBytes(file);
                bytes[bytes.length / 2]++;
                Files.write(file, bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void assertFails(Code code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .cause()
                .isInstanceOfSatisfying(
                        BackendException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    static byte[] bytes(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
