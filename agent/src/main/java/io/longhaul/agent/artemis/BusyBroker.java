package io.longhaul.agent.artemis;

import io.longhaul.agent.link.LinkException;

/** The broker is there and lets nobody in for now: it did not look at the login, which may be right. */
final class BusyBroker extends LinkException {
    private static final long serialVersionUID = 1L;

    BusyBroker(String message, Throwable cause) {
        super(Code.UNREACHABLE, message, cause);
    }
}
