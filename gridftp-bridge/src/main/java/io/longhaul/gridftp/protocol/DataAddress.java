package io.longhaul.gridftp.protocol;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The forms in which commands and replies write where a data connection goes.
 *
 * <pre>
 *  PORT, PASV, SPAS, SPOR   h1,h2,h3,h4,p1,p2       RFC 959, GFD.20
 *  EPRT, SPAS 2             |1|192.0.2.1|2000|      RFC 2428; protocol 1 is IPv4, 2 is IPv6
 *  EPSV                     (|||2000|)              RFC 2428
 * </pre>
 *
 * <p>Only numbers are read, never names: a name would have to be looked up, and could be looked up differently later.
 */
public final class DataAddress {
    private static final Pattern SIX_NUMBERS =
            Pattern.compile("([0-9]{1,3}),([0-9]{1,3}),([0-9]{1,3}),([0-9]{1,3}),([0-9]{1,3}),([0-9]{1,3})");
    private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.]{2,45}");
    private static final Pattern PORT = Pattern.compile("[0-9]{1,5}");
    private static final int MOST_PORT = 65_535;
    private static final int BYTE = 256;

    private DataAddress() {}

    /** Reads the argument of PORT; throws {@link ProtocolException}. */
    public static InetSocketAddress parsePort(String text) {
        Matcher numbers = SIX_NUMBERS.matcher(text.strip());
        if (!numbers.matches()) {
            throw new ProtocolException("address: expected h1,h2,h3,h4,p1,p2");
        }
        return ofNumbers(numbers);
    }

    /** Reads the reply to PASV, wherever in its text the numbers stand; throws {@link ProtocolException}. */
    public static InetSocketAddress parsePasv(String text) {
        Matcher numbers = SIX_NUMBERS.matcher(text);
        if (!numbers.find()) {
            throw new ProtocolException("reply to PASV: expected h1,h2,h3,h4,p1,p2 in it");
        }
        return ofNumbers(numbers);
    }

    private static InetSocketAddress ofNumbers(Matcher numbers) {
        int[] values = new int[6];
        for (int i = 0; i < values.length; i++) {
            values[i] = Integer.parseInt(numbers.group(i + 1));
            if (values[i] >= BYTE) {
                throw new ProtocolException("address: expected numbers of 0..255, found " + values[i]);
            }
        }
        byte[] host = {(byte) values[0], (byte) values[1], (byte) values[2], (byte) values[3]};
        return address(host, values[4] * BYTE + values[5]);
    }

    /** Reads the argument of SPOR: one or more of PORT's, or of EPRT's; throws {@link ProtocolException}. */
    public static List<InetSocketAddress> parseSpor(String text) {
        List<InetSocketAddress> addresses = new ArrayList<>();
        for (String part : text.strip().split("\\s+", -1)) {
            addresses.add(part.startsWith("|") ? parseEprt(part) : parsePort(part));
        }
        return addresses;
    }

    /** Returns whether the argument of EPRT has the number of another network protocol; throws {@link ProtocolException}. */
    public static boolean isOfOtherProtocol(String text) {
        String protocol = parts(text.strip())[1];
        return PORT.matcher(protocol).matches() && !protocol.equals("1") && !protocol.equals("2");
    }

    /** Reads the argument of EPRT; throws {@link ProtocolException}. */
    public static InetSocketAddress parseEprt(String text) {
        String[] parts = parts(text.strip());
        boolean six = parts[1].equals("2");
        if (!six && !parts[1].equals("1")) {
            throw new ProtocolException("address: expected protocol 1 or 2");
        }
        Pattern form = six ? IPV6 : IPV4;
        if (!form.matcher(parts[2]).matches() || six && !parts[2].contains(":")) {
            throw new ProtocolException("address: expected an address of protocol " + parts[1]);
        }
        try {
            // numbers only, as checked above, so nothing is looked up
            return address(InetAddress.getByName(parts[2]).getAddress(), port(parts[3]));
        } catch (UnknownHostException e) {
            throw new ProtocolException("address: expected an address of protocol " + parts[1]);
        }
    }

    /** Reads the port in the reply to EPSV; throws {@link ProtocolException}. */
    public static int parseEpsv(String text) {
        int open = text.indexOf('(');
        int close = text.indexOf(')', open + 1);
        if (open < 0 || close < 0) {
            throw new ProtocolException("reply to EPSV: expected (|||PORT|) in it");
        }
        return port(parts(text.substring(open + 1, close))[3]);
    }

    /** Splits {@code |a|b|c|} by whatever character it begins with. */
    private static String[] parts(String text) {
        char delimiter = text.isEmpty() ? ' ' : text.charAt(0);
        String[] parts = text.split(Pattern.quote(String.valueOf(delimiter)), -1);
        if (delimiter < '!' || delimiter > '~' || parts.length != 5 || !parts[4].isEmpty()) {
            throw new ProtocolException("address: expected |PROTOCOL|ADDRESS|PORT|");
        }
        return parts;
    }

    private static int port(String text) {
        int port = PORT.matcher(text).matches() ? Integer.parseInt(text) : 0;
        if (port < 1 || port > MOST_PORT) {
            throw new ProtocolException("address: expected a port of 1..65535");
        }
        return port;
    }

    private static InetSocketAddress address(byte[] host, int port) {
        if (port == 0) {
            throw new ProtocolException("address: expected a port of 1..65535");
        }
        try {
            return new InetSocketAddress(InetAddress.getByAddress(host), port);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns {@code h1,h2,h3,h4,p1,p2}; throws {@link ProtocolException} for IPv6. */
    public static String port(InetSocketAddress address) {
        if (!(address.getAddress() instanceof Inet4Address host)) {
            throw new ProtocolException("address: IPv6 has no form of six numbers");
        }
        return host.getHostAddress().replace('.', ',') + "," + address.getPort() / BYTE + ","
                + address.getPort() % BYTE;
    }

    /** Returns {@code |1|192.0.2.1|2000|}. */
    public static String eprt(InetSocketAddress address) {
        InetAddress host = address.getAddress();
        String text = host.getHostAddress();
        int scope = text.indexOf('%');
        return "|" + (host instanceof Inet6Address ? 2 : 1) + "|" + (scope < 0 ? text : text.substring(0, scope)) + "|"
                + address.getPort() + "|";
    }

    /** Returns {@code (|||2000|)}. */
    public static String epsv(int port) {
        return "(|||" + port + "|)";
    }
}
