package io.longhaul.gridftp.front;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.gridftp.Patience;
import io.longhaul.gridftp.protocol.DataAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** A client that says exactly what a test wants it to, and reads replies to their end. */
final class FtpClient implements AutoCloseable {
    private static final int PATIENCE_MILLIS = Patience.SECONDS * 1000;

    private final Socket socket;
    private final BufferedReader reader;
    private final OutputStream writer;

    private FtpClient(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        this.reader = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        this.writer = socket.getOutputStream();
    }

    /** Connects and reads the greeting. */
    static FtpClient connect(int port) {
        return connect(InetAddress.getLoopbackAddress(), port);
    }

    private static FtpClient connect(InetAddress address, int port) {
        try {
            FtpClient client = new FtpClient(new Socket(address, port));
            assertThat(client.reply()).startsWith("220 ");
            return client;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Connects and logs in without being anybody. */
    static FtpClient anonymous(int port) {
        return anonymous(InetAddress.getLoopbackAddress(), port);
    }

    static FtpClient anonymous(InetAddress address, int port) {
        FtpClient client = connect(address, port);
        client.expect(331, "USER anonymous");
        client.expect(230, "PASS x@");
        return client;
    }

    /** Returns the same client under TLS, which trusts this certificate. */
    FtpClient secured(Path certificate) {
        expect(234, "AUTH TLS");
        try {
            return new FtpClient(secured(certificate, socket));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the same client under TLS, logged in without being anybody, and with data connections under TLS. */
    FtpClient guarded(Path certificate) {
        FtpClient secured = secured(certificate);
        secured.expect(331, "USER anonymous");
        secured.expect(230, "PASS x");
        secured.expect(200, "TYPE I");
        secured.expect(200, "PBSZ 0");
        secured.expect(200, "PROT P");
        return secured;
    }

    /** Returns a connection with TLS over it, which begins with the first byte. */
    static SSLSocket secured(Path certificate, Socket socket) {
        try (InputStream in = Files.newInputStream(certificate)) {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            trusted.setCertificateEntry(
                    "front", CertificateFactory.getInstance("X.509").generateCertificate(in));
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(null, trust.getTrustManagers(), null);
            return (SSLSocket) tls.getSocketFactory().createSocket(socket, "front", socket.getPort(), true);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    void send(byte[] bytes) {
        try {
            writer.write(bytes);
            writer.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends bytes, the last of them as urgent data. */
    void sendUrgent(String line) {
        try {
            byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
            writer.write(bytes, 0, bytes.length - 1);
            writer.flush();
            socket.sendUrgentData(bytes[bytes.length - 1]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void send(String line) {
        send((line + "\r\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Reads one reply with all its lines. */
    String reply() {
        try {
            String first = reader.readLine();
            if (first == null) {
                return "";
            }
            StringBuilder all = new StringBuilder(first);
            String end = first.substring(0, 3) + " ";
            String line = first;
            while (!line.startsWith(end)) {
                line = reader.readLine();
                assertThat(line).as("after " + all).isNotNull();
                all.append('\n').append(line);
            }
            return all.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Says nothing more, and still listens. */
    void end() {
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String command(String line) {
        send(line);
        return reply();
    }

    String expect(int code, String line) {
        String reply = command(line);
        assertThat(reply).as(line).startsWith(Integer.toString(code));
        return reply;
    }

    String expectReply(int code) {
        String reply = reply();
        assertThat(reply).startsWith(Integer.toString(code));
        return reply;
    }

    /** Reads replies up to the last one of a command, which it returns. */
    String last(List<String> before) {
        String reply = reply();
        while (reply.startsWith("1")) {
            before.add(reply);
            reply = reply();
        }
        return reply;
    }

    String last() {
        return last(new ArrayList<>());
    }

    /** Asks for a passive address. */
    InetSocketAddress passive() {
        return DataAddress.parsePasv(expect(227, "PASV"));
    }

    static Socket open(InetSocketAddress address) {
        try {
            Socket data = new Socket(address.getAddress(), address.getPort());
            data.setSoTimeout(PATIENCE_MILLIS);
            return data;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Listens and says so. */
    ServerSocket active() {
        try {
            ServerSocket server = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
            server.setSoTimeout(PATIENCE_MILLIS);
            expect(200, "PORT " + DataAddress.port((InetSocketAddress) server.getLocalSocketAddress()));
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void write(Socket data, byte[]... parts) {
        try {
            for (byte[] part : parts) {
                data.getOutputStream().write(part);
            }
            data.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] readAll(Socket data) {
        try (InputStream in = data.getInputStream()) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void close(AutoCloseable data) {
        try {
            data.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns an extended block. */
    static byte[] block(int descriptor, long offset, byte[] payload) {
        ByteBuffer block = ByteBuffer.allocate(17 + payload.length);
        return block.put((byte) descriptor)
                .putLong(payload.length)
                .putLong(offset)
                .put(payload)
                .array();
    }

    static byte[] endOfFile(int connections) {
        return block(0x48, connections, new byte[0]);
    }

    static byte[] endOfData() {
        return block(0x08, 0, new byte[0]);
    }

    @Override
    public void close() {
        close(socket);
    }
}
