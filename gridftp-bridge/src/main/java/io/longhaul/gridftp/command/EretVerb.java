package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.math.BigInteger;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code ERET P offset length path} (GFD.20 section 3.1): blocks count from the start of the part. A length that no file can
 * have means the rest of it.
 */
final class EretVerb implements Verb {
    private static final Pattern PART = Pattern.compile("(?s)[Pp] +([0-9]{1,18}) +([0-9]{1,20}) (.+)");
    private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);

    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        session.settings().takeRestart();
        Matcher part = PART.matcher(argument);
        if (!part.matches()) {
            return Replies.now(501, "ERET: expected P OFFSET LENGTH PATH.");
        }
        long offset = Long.parseLong(part.group(1));
        BigInteger end = BigInteger.valueOf(offset).add(new BigInteger(part.group(2)));
        ByteRange range = new ByteRange(offset, end.min(MOST).longValueExact());
        return Sending.file(session, session.path(part.group(3)), List.of(range), offset);
    }
}
