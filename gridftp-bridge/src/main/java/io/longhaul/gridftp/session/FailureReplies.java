package io.longhaul.gridftp.session;

import io.longhaul.gridftp.data.BackendReplies;
import io.longhaul.gridftp.protocol.ProtocolException;
import io.longhaul.gridftp.protocol.Reply;
import io.longhaul.gridftp.spi.BackendException;

/** What a verb's failure is to a client. */
final class FailureReplies {
    private FailureReplies() {}

    static Reply of(Throwable failure) {
        Throwable cause = BackendException.cause(failure);
        return cause instanceof ProtocolException
                ? Reply.of(501, cause.getMessage() + ".")
                : BackendReplies.of(failure);
    }
}
