package io.longhaul.cli.doctor;

/**
 * What a check found.
 *
 * @param check one word for what was looked at
 * @param state how it is
 * @param found what was found, with numbers
 * @param advice what to do; empty when all is well
 */
public record Finding(String check, State state, String found, String advice) {
    /** How something is. */
    public enum State {
        OK,
        /** Works, but slower or less surely than it could. */
        WARNING,
        /** Will not work. */
        FAILED
    }

    static Finding ok(String check, String found) {
        return new Finding(check, State.OK, found, "");
    }

    static Finding warning(String check, String found, String advice) {
        return new Finding(check, State.WARNING, found, advice);
    }

    static Finding failed(String check, String found, String advice) {
        return new Finding(check, State.FAILED, found, advice);
    }
}
