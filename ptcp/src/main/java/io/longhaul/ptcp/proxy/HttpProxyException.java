package io.longhaul.ptcp.proxy;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** No tunnel was opened. The message names proxy and target, and holds no secrets. */
public final class HttpProxyException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Why; only {@link #CHALLENGED} is worth another try at once. */
    public enum Kind {
        /**
         * The proxy asked for credentials and hung up before it could get them. The session remembers how it asked: the
         * next connection sends them. More than one such failure in a row is a proxy that never gets to an answer.
         */
        CHALLENGED,
        /** The proxy did not take the credentials, or asks for ones that are not configured, or in an unknown way. */
        CREDENTIALS,
        /** The proxy understood, and gave another answer than a tunnel: forbidden, target out of its reach. */
        REFUSED,
        /** No connection to the proxy. */
        UNREACHABLE,
        /** What is there hung up, took too long, or does not speak HTTP. */
        NO_ANSWER,
        /** The target's name or port cannot stand in a request. */
        BAD_TARGET
    }

    private final Kind kind;

    HttpProxyException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    HttpProxyException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** Whether a proxy did not take the credentials, by this failure or what caused it. */
    public static boolean isLoginRefused(@Nullable Throwable failure) {
        Throwable cause = failure;
        while (cause != null) {
            if (cause instanceof HttpProxyException known) {
                return known.kind == Kind.CREDENTIALS;
            }
            cause = cause.getCause();
        }
        return false;
    }

    public Kind kind() {
        return kind;
    }
}
