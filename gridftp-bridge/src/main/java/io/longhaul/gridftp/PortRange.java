package io.longhaul.gridftp;

/**
 * Ports to listen on for data connections.
 *
 * @param first 0 with {@code last} 0 leaves the choice to the system
 * @param last not below {@code first}
 */
public record PortRange(int first, int last) {
    /** The system chooses. */
    public static final PortRange ANY = new PortRange(0, 0);

    private static final int LEAST = 1024;
    private static final int MOST = 65_535;

    /** Checks the bounds. */
    public PortRange {
        boolean any = first == 0 && last == 0;
        if (!any && (first < LEAST || last < first || last > MOST)) {
            throw outOfBounds(first + "-" + last);
        }
    }

    private static IllegalArgumentException outOfBounds(String found) {
        return new IllegalArgumentException("expected FIRST-LAST within " + LEAST + "-" + MOST + ", found " + found);
    }

    /** Reads {@code FIRST-LAST}; throws {@link IllegalArgumentException}. */
    public static PortRange parse(String text) {
        if (!text.matches("[0-9]{1,5}-[0-9]{1,5}")) {
            throw new IllegalArgumentException("expected FIRST-LAST like 50000-51000, found '" + text + "'");
        }
        int hyphen = text.indexOf('-');
        if (Integer.parseInt(text.substring(0, hyphen)) == 0) {
            // the form of what leaves the choice to the system, which nobody writes who opens ports of a firewall
            throw outOfBounds(text);
        }
        return new PortRange(Integer.parseInt(text.substring(0, hyphen)), Integer.parseInt(text.substring(hyphen + 1)));
    }

    public boolean isAny() {
        return first == 0;
    }

    public int count() {
        return last - first + 1;
    }
}
