package io.longhaul.ptcp;

/** What is said of a name without an address, wherever that is found out. */
public final class UnknownHost {
    private UnknownHost() {}

    /** Returns the words, with the name or what the system says of it, which begins with the name. */
    public static String words(String name) {
        return "unknown host " + name;
    }
}
