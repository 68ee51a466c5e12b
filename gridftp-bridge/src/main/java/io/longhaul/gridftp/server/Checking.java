package io.longhaul.gridftp.server;

import io.longhaul.gridftp.client.Download;
import io.longhaul.gridftp.client.Failures;
import io.longhaul.gridftp.client.Session;
import io.longhaul.gridftp.client.Waiting;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.ChecksumAlgorithm;
import io.longhaul.gridftp.spi.RunningChecksum;
import io.longhaul.gridftp.spi.WriteRequest;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compares what the server has with what was sent: the server's word that all went well is not enough. May wait. */
final class Checking {
    private static final Logger LOG = LoggerFactory.getLogger(Checking.class);
    private static final int STATUS = 213;
    private static final String FAST = "ADLER32";

    /** A file that came in more pieces than this has its first ones compared. */
    private static final int MOST_RUNS = 64;

    private final AtomicBoolean told = new AtomicBoolean();

    /**
     * Returns a checksum in lower-case hexadecimal digits: the server's, or else that of the bytes as they are read.
     *
     * @param range within the file
     * @param size of the file
     */
    String checksum(
            Session session,
            String place,
            ChecksumAlgorithm algorithm,
            ByteRange range,
            long size,
            LongConsumer progress) {
        Optional<String> said = range.isEmpty()
                ? Optional.empty()
                : ask(session, new Part(place, range, size), algorithm.name(), progress);
        return said.orElseGet(() -> read(session, place, algorithm, range, size, progress));
    }

    /** A range of a file of this size. */
    private record Part(String place, ByteRange range, long size) {
        /** Returns it as CKSM takes it; some servers know only whole files. */
        @Override
        public String toString() {
            boolean isWhole = range.start() == 0 && range.end() == size;
            return range.start() + " " + (isWhole ? -1 : range.length()) + " " + place;
        }
    }

    /** Asks the server; empty when it cannot. */
    private static Optional<String> ask(Session session, Part part, String algorithm, LongConsumer progress) {
        if (!session.hasChecksum(algorithm)) {
            return Optional.empty();
        }
        Reply reply = session.call(
                "CKSM " + algorithm + " " + part,
                session.config().limits().end(),
                marker -> progress.accept(bytes(marker)));
        if (reply.code() == STATUS) {
            String text = reply.lines().get(reply.lines().size() - 1).strip();
            return Optional.of(text.substring(text.lastIndexOf(' ') + 1).toLowerCase(Locale.ROOT));
        }
        // of the file, perhaps that it may not be read, Globus servers say 500 too
        boolean isOfFile = !Failures.isVague(reply) && Failures.code(reply) != Code.UNSUPPORTED;
        if ((reply.code() == 500 || reply.code() == 502) && !isOfFile) {
            session.lacksChecksums();
        }
        return Optional.empty();
    }

    /** Returns how far a marker says that a checksum is. */
    private static long bytes(Reply marker) {
        return marker.lines().stream()
                .map(String::strip)
                .filter(line -> line.matches("Bytes Processed: *[0-9]{1,18}"))
                .map(line ->
                        Long.parseLong(line.substring(line.lastIndexOf(':') + 1).strip()))
                .findFirst()
                .orElse(0L);
    }

    private static String read(
            Session session,
            String place,
            ChecksumAlgorithm algorithm,
            ByteRange range,
            long size,
            LongConsumer progress) {
        RunningChecksum sum = RunningChecksum.of(algorithm);
        Duration limit = session.config().limits().stall().multipliedBy(2);
        long at = range.start();
        if (!range.isEmpty()) {
            try (Download download = Download.from(range.start(), place, session, "RETR " + place)) {
                while (at < range.end()) {
                    ByteBuf bytes = Waiting.on(download.next(), limit, place)
                            .orElseThrow(() -> new BackendException(
                                    Code.UNAVAILABLE, place + ": became shorter than " + size + " while it was read"));
                    int length = (int) Math.min(bytes.readableBytes(), range.end() - at);
                    for (ByteBuffer buffer : bytes.nioBuffers(bytes.readerIndex(), length)) {
                        sum.update(buffer);
                    }
                    bytes.release();
                    at += length;
                    progress.accept(at - range.start());
                }
                if (range.end() == size) {
                    Waiting.on(download.next(), limit, place).ifPresent(ByteBuf::release);
                }
            }
        }
        return sum.result();
    }

    /** Compares a file with the checksum that it must have. */
    void demand(
            Session session,
            String what,
            String place,
            long size,
            WriteRequest.Checksum wanted,
            LongConsumer progress) {
        wanted.demand(what, checksum(session, place, wanted.algorithm(), new ByteRange(0, size), size, progress));
    }

    /** Compares a file with what was sent, where the server can; trying again helps. */
    void compare(Session session, String what, String place, long size, List<Pieces.Run> runs, LongConsumer progress) {
        for (Pieces.Run run : runs.subList(0, Math.min(MOST_RUNS, runs.size()))) {
            Optional<String> found = ask(session, new Part(place, run.range(), size), FAST, progress);
            if (found.isEmpty()) {
                if (!told.getAndSet(true)) {
                    LOG.info("{}: no {} of files to be had; they are compared by length only", session, FAST);
                }
                return;
            }
            if (!found.get().equalsIgnoreCase(run.digits())) {
                throw BackendException.different(what + ": bytes " + run.range() + ": sent with " + FAST + " "
                        + run.digits() + ", but the server has " + found.get());
            }
        }
    }

    /** Returns the failure of a file that the server said to be whole. */
    static BackendException length(String what, long expected, long found, Reply said) {
        return BackendException.different(what + ": expected " + expected + " bytes at the server, found " + found
                + ", though " + Failures.text(said));
    }
}
