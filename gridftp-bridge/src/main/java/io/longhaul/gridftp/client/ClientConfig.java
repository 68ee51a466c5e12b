package io.longhaul.gridftp.client;

import io.longhaul.gridftp.AddressBlock;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;

/**
 * Which server, as whom, and how.
 *
 * @param url of the server
 * @param credentials for the login
 * @param tls for {@code AUTH TLS}, control and data connections; default: clear text
 * @param extended whether MODE E is used for uploads where the server has it; default: it is
 * @param dataHosts addresses that data connections may go to beside the control connection's; default: none
 * @param limits what is used up
 */
public record ClientConfig(
        ServerUrl url,
        Credentials credentials,
        Optional<SslContext> tls,
        boolean extended,
        List<AddressBlock> dataHosts,
        ClientLimits limits) {
    /** Keeps a copy. */
    public ClientConfig {
        dataHosts = List.copyOf(dataHosts);
    }

    /** Returns the defaults for a server. */
    public static ClientConfig of(ServerUrl url, Credentials credentials) {
        return new ClientConfig(url, credentials, Optional.empty(), true, List.of(), ClientLimits.defaults());
    }

    /**
     * Returns the same under TLS, which is demanded of the server; throws {@link IllegalArgumentException} for a bad file.
     *
     * @param authorities PEM file of those whose certificates count; empty for those that Java trusts
     */
    public ClientConfig withTls(Optional<Path> authorities) {
        SslContextBuilder builder =
                SslContextBuilder.forClient().sslProvider(SslProvider.JDK).protocols("TLSv1.3", "TLSv1.2");
        try {
            authorities.ifPresent(file -> builder.trustManager(file.toFile()));
            return new ClientConfig(
                    url,
                    credentials,
                    Optional.of(builder.endpointIdentificationAlgorithm("HTTPS").build()),
                    extended,
                    dataHosts,
                    limits);
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "tls: expected PEM certificates in "
                            + authorities.map(Path::toString).orElse("Java's own store") + ", found: " + e.getMessage(),
                    e);
        }
    }

    /** Returns the same as another user. */
    public ClientConfig withCredentials(Credentials others) {
        return new ClientConfig(url, others, tls, extended, dataHosts, limits);
    }

    /** Returns the same with or without MODE E. */
    public ClientConfig withExtended(boolean value) {
        return new ClientConfig(url, credentials, tls, value, dataHosts, limits);
    }

    /** Returns the same with other hosts that data connections may go to. */
    public ClientConfig withDataHosts(List<AddressBlock> blocks) {
        return new ClientConfig(url, credentials, tls, extended, blocks, limits);
    }

    /** Returns the same with other limits. */
    public ClientConfig withLimits(ClientLimits others) {
        return new ClientConfig(url, credentials, tls, extended, dataHosts, others);
    }
}
