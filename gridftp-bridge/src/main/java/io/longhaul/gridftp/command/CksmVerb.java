package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Markers;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import io.longhaul.gridftp.spi.ChecksumAlgorithm;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code CKSM algorithm offset length path} (GFD.47): a length of -1 means to the end. */
final class CksmVerb implements Verb {
    private static final Pattern FORM = Pattern.compile("(?s) *([A-Za-z0-9]+) +([0-9]{1,18}) +(-1|[0-9]{1,18}) (.+)");

    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        Matcher words = FORM.matcher(argument);
        if (!words.matches()) {
            return Replies.now(501, "CKSM: expected ALGORITHM OFFSET LENGTH PATH.");
        }
        Optional<ChecksumAlgorithm> algorithm = ChecksumAlgorithm.of(words.group(1));
        if (algorithm.isEmpty()) {
            return Replies.now(504, "Unknown checksum algorithm requested.");
        }
        long offset = Long.parseLong(words.group(2));
        long length = Long.parseLong(words.group(3));
        ByteRange range = new ByteRange(offset, length < 0 ? Long.MAX_VALUE : offset + length);
        AtomicLong done = new AtomicLong();
        AtomicBoolean isUnwanted = new AtomicBoolean();
        CompletableFuture<String> sum = session.files()
                .checksum(session.path(words.group(4)), algorithm.get(), range, bytes -> {
                    if (isUnwanted.get()) {
                        throw new CancellationException("nobody waits for the checksum any more");
                    }
                    done.set(bytes);
                });
        session.whenUnwanted(() -> {
            isUnwanted.set(true);
            sum.cancel(false);
        });
        Duration period = session.settings().checksumMarkers();
        if (!period.isZero()) {
            Future<?> marking = session.loop()
                    .scheduleAtFixedRate(
                            () -> session.reply(Markers.checksum(
                                    session.context().world().clock().instant(), done.get())),
                            period.toMillis(),
                            period.toMillis(),
                            TimeUnit.MILLISECONDS);
            return reply(sum.whenCompleteAsync((digits, failure) -> marking.cancel(false), session.loop()), sum);
        }
        return reply(sum, sum);
    }

    private static CompletableFuture<Reply> reply(CompletableFuture<String> last, CompletableFuture<String> sum) {
        return last.thenApply(digits -> Reply.of(213, digits))
                .exceptionallyCompose(failure -> sum.isCancelled()
                        ? Replies.now(426, "Checksum aborted by ABOR.")
                        : CompletableFuture.failedFuture(failure));
    }
}
