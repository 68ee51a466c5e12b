package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/** {@code LANG [tag]} (RFC 2640 section 4.1). */
final class LangVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        String tag = argument.strip().toUpperCase(Locale.ROOT);
        return tag.isEmpty() || tag.equals("EN") || tag.startsWith("EN-")
                ? Replies.now(200, "lang set to EN.")
                : Replies.now(504, "Language not available: expected EN.");
    }
}
