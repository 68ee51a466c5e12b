package io.longhaul.cli;

import io.longhaul.cli.option.HostPort;
import io.longhaul.cli.option.OptionValue;
import io.longhaul.gridftp.fanout.FanOut;
import io.longhaul.gridftp.spi.Backends;
import io.longhaul.gridftp.spi.FilePath;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import picocli.CommandLine.Option;

/** Where a front may store a file besides, when a client asks for several places ({@code globus-url-copy -MC}). */
final class CopyOptions {
    private static final String NAMES = "--also-known-as";

    @Option(
            names = NAMES,
            paramLabel = "HOST:PORT[=/PATH]",
            description =
                    "A name of this front in the URLs of 'globus-url-copy -MC', and which of its directories is that"
                            + " server's /; may be given several times. Default of /PATH: /.")
    private List<String> names = new ArrayList<>();

    @Option(
            names = "--forward-to",
            paramLabel = "HOST:PORT",
            converter = HostPort.RemoteConverter.class,
            description =
                    "A server that files may be stored at for 'globus-url-copy -MC'; may be given several times. Default:"
                            + " none.")
    private List<HostPort> allowed = new ArrayList<>();

    /**
     * Prepares for the servers; connects to none.
     *
     * @param front who stores there
     */
    ForwardServers open(String front, LongSupplier nanoTime) {
        return new ForwardServers(
                allowed.stream().map(HostPort::toString).map(CopyOptions::key).toList(), front, nanoTime);
    }

    /** Returns the files of a door with what these options allow. */
    Backends over(Backends files, ForwardServers servers) {
        Map<String, FilePath> places = new LinkedHashMap<>();
        for (String name : names) {
            int sign = name.indexOf('=');
            FilePath place = BridgePath.parse(
                    NAMES, "HOST:PORT or HOST:PORT=/PATH", name, sign < 0 ? "/" : name.substring(sign + 1));
            HostPort address =
                    OptionValue.read(NAMES, sign < 0 ? name : name.substring(0, sign), HostPort::parseRemote);
            places.put(key(address.toString()), place);
        }
        return new FanOut(files, places, servers);
    }

    private static String key(String address) {
        return address.toLowerCase(Locale.ROOT);
    }
}
