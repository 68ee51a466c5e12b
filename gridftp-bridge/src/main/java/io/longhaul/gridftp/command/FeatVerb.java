package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Fact;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** {@code FEAT} (RFC 2389 section 3): what clients would not try otherwise. */
final class FeatVerb implements Verb {
    /** With how much each is preferred; less is better. */
    private static final String CHECKSUMS = "MD5:10;ADLER32:10;SHA1:10;SHA256:11;SHA512:12;CRC32C:13;";

    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        List<String> features = new ArrayList<>();
        if (session.context().config().tls().isPresent()) {
            features.addAll(List.of("AUTH TLS", "PBSZ", "PROT"));
        }
        features.add("CKSM " + CHECKSUMS);
        features.addAll(
                List.of("MFMT", "MFF Modify;UNIX.mode;", "MLSC", "UTF8", "TVFS", "LANG EN", "PARALLEL", "SIZE"));
        features.add("MLST " + Fact.offer(session.settings().facts()));
        features.addAll(List.of(
                "ERET", "ESTO", "SPAS", "SPOR", "REST STREAM", "MDTM", "SBUF", "EPSV", "EPRT", "PASV AllowDelayed;"));
        return CompletableFuture.completedFuture(Reply.of(
                211,
                "Extensions supported",
                features.stream().map(feature -> " " + feature).toList(),
                "End."));
    }

    @Override
    public boolean isForStrangers() {
        return true;
    }
}
