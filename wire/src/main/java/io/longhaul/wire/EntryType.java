package io.longhaul.wire;

/** What an entry of a transfer is; the code is its byte on the wire. */
public enum EntryType {
    FILE(1),
    DIRECTORY(2),
    SYMLINK(3);

    private final int code;

    EntryType(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** Returns the type with this code; throws {@link WireException} for an unknown one. */
    public static EntryType of(int code) {
        return switch (code) {
            case 1 -> FILE;
            case 2 -> DIRECTORY;
            case 3 -> SYMLINK;
            default -> throw new WireException("entry type: expected 1, 2 or 3, found " + code);
        };
    }
}
