package io.longhaul.broker.artemis;

import io.longhaul.ptcp.net.ServerTls;
import io.netty.handler.ssl.SslContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * PEM files of a server that speaks TLS.
 *
 * @param certificate the server's certificate, followed by those that sign it
 * @param key its private key, unencrypted PKCS#8
 * @param clientCa when given, clients must show a certificate that one of these signed
 */
public record TlsServer(Path certificate, Path key, Optional<Path> clientCa) {

    /** Reads the files; TLS 1.2 and 1.3 only. */
    SslContext context() throws ServerException {
        for (Path file : clientCa.map(ca -> List.of(certificate, key, ca)).orElse(List.of(certificate, key))) {
            if (!Files.isReadable(file)) {
                throw new ServerException(
                        ServerException.Kind.BAD_CONFIG, "tls: expected a readable PEM file, found none at " + file);
            }
        }
        try {
            return ServerTls.ofFiles(certificate, key, clientCa);
        } catch (IllegalArgumentException e) {
            throw new ServerException(ServerException.Kind.BAD_CONFIG, "" + e.getMessage(), e);
        }
    }
}
