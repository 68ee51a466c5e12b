package io.longhaul.gridftp;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/**
 * Addresses that begin with the same bits: {@code 192.0.2.0/24}.
 *
 * @param address any of them
 * @param bits how many bits they share
 */
public record AddressBlock(InetAddress address, int bits) {
    /** Checks the bounds. */
    public AddressBlock {
        if (bits < 0 || bits > address.getAddress().length * Byte.SIZE) {
            throw new IllegalArgumentException(
                    "address block: " + address.getHostAddress() + " has no " + bits + " bits");
        }
    }

    /** Reads {@code ADDRESS} or {@code ADDRESS/BITS}, without looking up names; throws {@link IllegalArgumentException}. */
    public static AddressBlock parse(String text) {
        String[] parts = text.split("/", 2);
        if (!parts[0].matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")
                || parts.length == 2 && !parts[1].matches("[0-9]{1,3}")) {
            throw new IllegalArgumentException("expected ADDRESS or ADDRESS/BITS in numbers, found '" + text + "'");
        }
        try {
            InetAddress address = InetAddress.getByName(parts[0]);
            int all = address.getAddress().length * Byte.SIZE;
            return new AddressBlock(address, parts.length == 2 ? Integer.parseInt(parts[1]) : all);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("expected ADDRESS or ADDRESS/BITS in numbers, found '" + text + "'", e);
        }
    }

    /** Returns whether an address is one of them. */
    public boolean contains(InetAddress other) {
        byte[] mine = address.getAddress();
        byte[] its = other.getAddress();
        int whole = bits / Byte.SIZE;
        if (mine.length != its.length || !Arrays.equals(mine, 0, whole, its, 0, whole)) {
            return false;
        }
        int rest = bits % Byte.SIZE;
        int mask = 0xff00 >> rest & 0xff;
        return rest == 0 || (mine[whole] & mask) == (its[whole] & mask);
    }
}
