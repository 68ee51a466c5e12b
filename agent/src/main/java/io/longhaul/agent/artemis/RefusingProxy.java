package io.longhaul.agent.artemis;

import io.longhaul.agent.link.LinkException;

/** A proxy on the way to the broker does not take the credentials for it, and may lock their account when asked too often. */
final class RefusingProxy extends LinkException {
    private static final long serialVersionUID = 1L;

    RefusingProxy(String message, Throwable cause) {
        super(Code.UNREACHABLE, message, cause);
    }
}
