package io.longhaul.gridftp.protocol;

import java.util.Locale;

/** What a client sent on the control channel, up to the end of a line. */
public sealed interface ControlLine {
    /** Returns the verb in upper case; empty where it does not begin like a command. */
    String verb();

    /** Returns about how many bytes of memory its text takes. */
    int size();

    /**
     * A command.
     *
     * @param verb in upper case; empty for an empty line
     * @param argument what follows the first space; empty for none
     */
    record Command(String verb, String argument) implements ControlLine {
        /** Splits a line at its first space. */
        public static Command of(String line) {
            int space = line.indexOf(' ');
            String verb = space < 0 ? line : line.substring(0, space);
            return new Command(verb.toUpperCase(Locale.ROOT), space < 0 ? "" : line.substring(space + 1));
        }

        @Override
        public int size() {
            return verb.length() + argument.length();
        }

        /** Leaves the argument out, which may be a password. */
        @Override
        public String toString() {
            return verb;
        }
    }

    /**
     * A line that cannot be a command.
     *
     * @param verb in upper case, where it begins like a command; else empty
     * @param reason for the client
     */
    record Refused(String verb, String reason) implements ControlLine {
        @Override
        public int size() {
            return verb.length() + reason.length();
        }
    }
}
