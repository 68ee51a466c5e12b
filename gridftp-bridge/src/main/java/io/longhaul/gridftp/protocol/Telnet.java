package io.longhaul.gridftp.protocol;

/**
 * Takes telnet commands out of a stream of bytes, one byte at a time (RFC 959 section 4.1.3, RFC 854).
 *
 * <p>Clients send {@code IAC IP IAC DM} before {@code ABOR}. A byte behind {@code IAC} that is no command is text: it may be
 * the end of a line.
 */
final class Telnet {
    /** The byte belongs to a telnet command. */
    static final int NOTHING = -1;

    /** What a telnet command begins with. */
    static final int IAC = 0xff;

    private static final int LEAST_COMMAND = 0xf0;
    private static final int SUBNEGOTIATION = 0xfa;
    private static final int WILL = 0xfb;
    private static final int DONT = 0xfe;

    private enum State {
        TEXT,
        COMMAND,
        OPTION
    }

    private State state = State.TEXT;

    /** Returns whether the next byte belongs to a telnet command that has begun. */
    boolean isWithinCommand() {
        return state != State.TEXT;
    }

    /** Returns the byte that is text, or {@link #NOTHING}. */
    int text(byte next) {
        int value = next & 0xff;
        switch (state) {
            case TEXT -> {
                if (value == IAC) {
                    state = State.COMMAND;
                    return NOTHING;
                }
                return value;
            }
            case COMMAND -> {
                if (value < LEAST_COMMAND || value == IAC) {
                    state = State.TEXT;
                    return value;
                }
                state = value >= WILL && value <= DONT || value == SUBNEGOTIATION ? State.OPTION : State.TEXT;
                return NOTHING;
            }
            case OPTION -> {
                state = State.TEXT;
                return NOTHING;
            }
        }
        throw new AssertionError(state);
    }
}
