package io.longhaul.cli.option;

import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Where something listens, or is connected to: {@code 127.0.0.1:7400}, {@code [::1]:7400}, {@code 0.0.0.0:0}.
 *
 * @param host name or address, without brackets
 * @param port 0 lets the system choose what to listen on; nobody connects to it
 */
public record HostPort(String host, int port) {

    /** Reads the written form; throws {@link IllegalArgumentException} that names what was expected. */
    public static HostPort parse(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon);
        String port = text.substring(colon + 1);
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        if (bracketed) {
            host = host.substring(1, host.length() - 1);
        }
        boolean valid = !host.isEmpty() && (bracketed || !host.contains(":")) && port.matches("[0-9]{1,5}");
        if (!valid || Integer.parseInt(port) > 65_535) {
            throw new IllegalArgumentException(
                    "expected HOST:PORT like 127.0.0.1:7400 or [::1]:7400, found '" + text + "'");
        }
        return new HostPort(host, Integer.parseInt(port));
    }

    /** Reads a place to connect to, which has a port; throws as {@link #parse} does. */
    public static HostPort parseRemote(String text) {
        HostPort place = parse(text);
        if (place.port == 0) {
            throw new IllegalArgumentException("expected a port from 1 to 65535, found '" + text + "'");
        }
        return place;
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    private static HostPort converted(String text, Function<String, HostPort> form) {
        try {
            return form.apply(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }

    /** Lets picocli read places to listen on. */
    public static final class Converter implements ITypeConverter<HostPort> {
        @Override
        public HostPort convert(String text) {
            return converted(text, HostPort::parse);
        }
    }

    /** Lets picocli read places to connect to. */
    public static final class RemoteConverter implements ITypeConverter<HostPort> {
        @Override
        public HostPort convert(String text) {
            return converted(text, HostPort::parseRemote);
        }
    }
}
