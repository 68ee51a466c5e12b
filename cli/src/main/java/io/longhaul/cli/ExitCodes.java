package io.longhaul.cli;

import io.longhaul.agent.AgentException;
import io.longhaul.broker.BrokerException;
import io.longhaul.broker.users.UsersException;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.ptcp.PtcpException;
import io.longhaul.storage.StorageException;
import io.longhaul.wire.WireException;
import java.io.IOException;
import java.net.BindException;

/**
 * The exit codes of every command, and which failure has which: the one table.
 *
 * <pre>
 * 0  all done
 * 2  usage: an option, argument, file name or configuration key is wrong
 * 3  the broker was never reached within the timeout
 * 4  a transfer failed; doctor: a check failed; any failure without a better code
 * 5  verification failed: bytes are not what they should be
 * 6  interrupted or timed out: the same command goes on where it stopped
 * 7  refused: login, rights, quota, disk floor, name, port or data directory in use
 * </pre>
 */
final class ExitCodes {
    static final int OK = 0;
    static final int USAGE = 2;
    static final int UNREACHABLE = 3;
    static final int FAILED = 4;
    static final int VERIFICATION = 5;
    static final int INTERRUPTED = 6;
    static final int REFUSED = 7;

    private ExitCodes() {}

    /** Returns the code of a failure; its type decides, then its own code. */
    static int of(Throwable failure) {
        if (failure instanceof AgentException e) {
            return e.code().exitCode();
        }
        if (failure instanceof StorageException e) {
            return ofStorage(e.code());
        }
        if (failure instanceof PtcpException e) {
            return ofPtcp(e.code());
        }
        if (failure instanceof BackendException e) {
            return ofBackend(e.code());
        }
        if (failure instanceof BindException) {
            return REFUSED;
        }
        if (failure instanceof WireException || failure instanceof IllegalArgumentException) {
            return USAGE;
        }
        // By name first: the broker's classes are not loaded for commands that have none.
        if (failure.getClass().getName().startsWith("io.longhaul.broker.")) {
            return OfBroker.code(failure);
        }
        return FAILED;
    }

    private static int ofStorage(StorageException.Code code) {
        return switch (code) {
            case NO_SPACE, IN_USE, VERSION, CLOSED -> REFUSED;
            case DAMAGED -> VERIFICATION;
            case IO, LOST -> FAILED;
        };
    }

    private static int ofPtcp(PtcpException.Code code) {
        return switch (code) {
            case UNREACHABLE, STRANGER, TLS, PROXY -> UNREACHABLE; // as an agent's, which tries on until its timeout
            case REFUSED, VERSION, FULL, CANNOT_LISTEN -> REFUSED;
            case PROTOCOL, LOST, ABORTED -> FAILED;
        };
    }

    /** Only what is found wrong before a front serves comes here; later failures are replies. */
    private static int ofBackend(BackendException.Code code) {
        return switch (code) {
            case NOT_FOUND, NOT_A_DIRECTORY, BAD_NAME -> USAGE;
            case DENIED, NOT_LOGGED_IN, NO_SPACE, EXISTS -> REFUSED;
            case IS_A_DIRECTORY, NOT_EMPTY, BAD_RANGE, UNSUPPORTED, BAD_CHECKSUM, UNAVAILABLE, LASTING, FAILED ->
                FAILED;
        };
    }

    private static final class OfBroker {
        static int code(Throwable failure) {
            if (failure instanceof UsersException) {
                return USAGE;
            }
            if (!(failure instanceof BrokerException e)) {
                return FAILED;
            }
            // Damage is something else than a directory that cannot be used.
            boolean unusable = e.code() == BrokerException.Code.BAD_DATA && hasIoCause(e);
            return unusable ? ExitCodes.FAILED : code(e.code());
        }

        private static boolean hasIoCause(Throwable failure) {
            Throwable at = failure;
            while (at != null && !(at instanceof IOException)) {
                at = at.getCause();
            }
            return at != null;
        }

        private static int code(BrokerException.Code code) {
            return switch (code) {
                case BAD_CONFIG -> USAGE;
                case IN_USE, CANNOT_LISTEN, NO_SPACE -> REFUSED;
                case BAD_DATA -> VERIFICATION;
                case FAILED -> ExitCodes.FAILED;
            };
        }
    }
}
