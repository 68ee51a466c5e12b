package io.longhaul.gridftp;

import io.netty.handler.ssl.SslContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/**
 * Where and how a front serves.
 *
 * @param listen control connections; port 0 takes a free one
 * @param publicAddress what clients are told to connect to; default, and for those of the other internet protocol: the address
 *     that their control connection came to
 * @param passivePorts to listen on for data connections; default: the system chooses
 * @param tls for {@code AUTH TLS}; default: not offered
 * @param requireTls whether logins without TLS are refused; default: they are not
 * @param thirdParties addresses that data connections may go to and come from, beside the client's own; default: none
 * @param limits what clients may use up
 */
public record FrontConfig(
        InetSocketAddress listen,
        Optional<InetAddress> publicAddress,
        PortRange passivePorts,
        Optional<SslContext> tls,
        boolean requireTls,
        List<AddressBlock> thirdParties,
        FrontLimits limits) {
    /** Keeps a copy. */
    public FrontConfig {
        thirdParties = List.copyOf(thirdParties);
    }

    /** Returns the defaults for an address. */
    public static FrontConfig of(InetSocketAddress listen) {
        return new FrontConfig(
                listen, Optional.empty(), PortRange.ANY, Optional.empty(), false, List.of(), FrontLimits.defaults());
    }

    /** Returns the same with a public address and other passive ports. */
    public FrontConfig withPassive(Optional<InetAddress> address, PortRange ports) {
        return new FrontConfig(listen, address, ports, tls, requireTls, thirdParties, limits);
    }

    /** Returns the same with TLS. */
    public FrontConfig withTls(SslContext context, boolean required) {
        return new FrontConfig(
                listen, publicAddress, passivePorts, Optional.of(context), required, thirdParties, limits);
    }

    /** Returns the same with other third parties. */
    public FrontConfig withThirdParties(List<AddressBlock> blocks) {
        return new FrontConfig(listen, publicAddress, passivePorts, tls, requireTls, blocks, limits);
    }

    /** Returns the same with other limits. */
    public FrontConfig withLimits(FrontLimits others) {
        return new FrontConfig(listen, publicAddress, passivePorts, tls, requireTls, thirdParties, others);
    }
}
