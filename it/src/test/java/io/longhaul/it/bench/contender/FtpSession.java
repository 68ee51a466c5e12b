package io.longhaul.it.bench.contender;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A control connection of a client that waits for every reply, for measuring how long they take. */
public final class FtpSession implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 60_000;

    private final Socket socket;
    private final BufferedReader in;
    private final OutputStream out;

    private FtpSession(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        this.out = socket.getOutputStream();
    }

    /** Connects and logs in as anonymous. */
    public static FtpSession login(String url) throws IOException {
        URI uri = URI.create(url);
        Socket socket = new Socket(uri.getHost(), uri.getPort());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        FtpSession session = new FtpSession(socket);
        session.expect("220");
        session.ask("USER anonymous", "331");
        session.ask("PASS bench@", "230");
        return session;
    }

    /** Sends a command and waits for the end of its reply, which must begin with these digits. */
    public void ask(String command, String code) throws IOException {
        out.write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
        expect(code);
    }

    private void expect(String code) throws IOException {
        String line = in.readLine();
        while (line != null && !line.matches("[0-9]{3} .*")) {
            line = in.readLine();
        }
        if (line == null || !line.startsWith(code)) {
            throw new IOException("expected a reply " + code + ", found " + line);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
