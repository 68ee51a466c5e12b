package io.longhaul.gridftp.session;

import io.longhaul.gridftp.data.BackendReplies;
import io.longhaul.gridftp.protocol.ProtocolException;
import io.longhaul.gridftp.protocol.Reply;
import java.util.concurrent.CompletionException;

/** What a verb's failure is to a client. */
final class FailureReplies {
    private FailureReplies() {}

    static Reply of(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause instanceof ProtocolException
                ? Reply.of(501, cause.getMessage() + ".")
                : BackendReplies.of(failure);
    }
}
