package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import io.longhaul.gridftp.spi.ChecksumAlgorithm;
import io.longhaul.gridftp.spi.WriteRequest;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** {@code SCKS algorithm digits} (GFD.47): of the next file, which is not visible unless it has it. */
final class ScksVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        String[] words = argument.strip().split(" +", -1);
        if (words.length != 2 || !words[1].matches("[0-9A-Fa-f]{1,128}")) {
            return Replies.now(501, "SCKS: expected ALGORITHM DIGITS.");
        }
        Optional<ChecksumAlgorithm> algorithm = ChecksumAlgorithm.of(words[0]);
        if (algorithm.isEmpty()) {
            return Replies.now(504, "Unknown checksum algorithm requested.");
        }
        session.settings().checksum(algorithm.map(known -> new WriteRequest.Checksum(known, words[1])));
        return Replies.now(200, "OK.");
    }
}
