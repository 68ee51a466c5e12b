package io.longhaul.gridftp.command;

import io.longhaul.gridftp.protocol.DiskStack;
import io.longhaul.gridftp.protocol.ProtocolException;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.session.Session;
import io.longhaul.gridftp.session.Verb;
import io.longhaul.gridftp.spi.Copies;
import io.longhaul.gridftp.spi.Copy;
import io.longhaul.gridftp.spi.FilePath;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * {@code SITE SETDISKSTACK file,gridftp_multicast:options}, as {@code globus-url-copy -MC} sends it: until the next one, what
 * is stored goes to other places as well. {@code default} and {@code file} end it.
 */
final class DiskStackVerb implements Verb {
    @Override
    public CompletableFuture<Reply> run(Session session, String argument) {
        try {
            DiskStack stack = DiskStack.parse(argument);
            List<Copy> copies =
                    stack.copies().stream().map(url -> copy(url, session)).toList();
            session.settings().copies(new Copies(copies, stack.isLocal()));
            return CompletableFuture.completedFuture(Replies.ok());
        } catch (ProtocolException e) {
            return CompletableFuture.completedFuture(
                    Reply.of(500, "Setting filesystem driver stack failed.", List.of(e.getMessage() + "."), "End."));
        }
    }

    private static Copy copy(DiskStack.Url url, Session session) {
        Optional<Copy.Server> server = session.isHere(url.host(), url.port())
                ? Optional.empty()
                : Optional.of(new Copy.Server(
                        url.host(),
                        url.port(),
                        url.login().map(login -> new Copy.Login(login.user(), login.password()))));
        return new Copy(url.label(), server, FilePath.of(url.path()));
    }
}
