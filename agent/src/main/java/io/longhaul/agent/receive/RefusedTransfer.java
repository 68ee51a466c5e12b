package io.longhaul.agent.receive;

/** A transfer breaks a rule and is given up; the message is the reason that its receipt names. */
final class RefusedTransfer extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RefusedTransfer(String reason) {
        super(reason);
    }

    RefusedTransfer(String reason, Throwable cause) {
        super(reason, cause);
    }
}
