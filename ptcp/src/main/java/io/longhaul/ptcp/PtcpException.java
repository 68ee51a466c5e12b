package io.longhaul.ptcp;

/** Why a session could not be opened or accepted, or ended. */
public final class PtcpException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What went wrong. */
    public enum Code {
        /** Nobody answers at the address, or not in time; trying again may help. */
        UNREACHABLE,
        /** The address to listen on cannot be had; nothing was accepted there. */
        CANNOT_LISTEN,
        /** The other end speaks no version of the protocol that this end speaks. */
        VERSION,
        /** What answers is none of this protocol, or closes before it has answered; as a server with TLS does without. */
        STRANGER,
        /** The other end knows no such session, the proof of belonging to it is wrong, or the greeting makes no sense. */
        REFUSED,
        /** The other end has as many sessions or channels as it may have; trying again later may help. */
        FULL,
        /** The other end sent what the protocol does not allow. */
        PROTOCOL,
        /** TLS failed: a certificate, a name, or a side without TLS. */
        TLS,
        /** The HTTP proxy on the way said no: to who asks, or to where it should connect. */
        PROXY,
        /** An open session lost its streams, or its control channel for longer than the limit. */
        LOST,
        /** This end or the other one ended the session at once. */
        ABORTED
    }

    private final Code code;

    /** Takes a line for a person: what, where, expected, found. */
    public PtcpException(Code code, String message) {
        super(message);
        this.code = code;
    }

    /** Takes a line for a person and what caused it. */
    public PtcpException(Code code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /** Returns what went wrong. */
    public Code code() {
        return code;
    }
}
