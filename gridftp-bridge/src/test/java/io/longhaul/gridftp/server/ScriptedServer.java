package io.longhaul.gridftp.server;

import io.longhaul.gridftp.Patience;
import io.longhaul.gridftp.client.ClientConfig;
import io.longhaul.gridftp.client.Credentials;
import io.longhaul.gridftp.client.ServerUrl;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** A small FTP server with files in memory, which does whatever a test wants it to in place of what it should. */
final class ScriptedServer implements AutoCloseable {
    private static final int PATIENCE_MILLIS = Patience.SECONDS * 1000;

    private final ServerSocket listening;
    private volatile boolean closed;
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private final List<String> commands = new CopyOnWriteArrayList<>();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    final ConcurrentMap<String, byte[]> files = new ConcurrentHashMap<>();

    /** What the server does at a command. */
    @FunctionalInterface
    interface Answer {
        void to(Conversation client, String argument) throws IOException;
    }

    ScriptedServer() throws IOException {
        listening = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        say("USER", "331 Password, please.");
        say("PASS", "230 Welcome.");
        say("TYPE", "200 ok");
        say("NOOP", "200 ok");
        say("QUIT", "221 Bye.");
        say("FEAT", "211-Features:\r\n SIZE\r\n MLST Type*;Size*;\r\n REST STREAM\r\n211 End");
        on("EPSV", (client, argument) -> client.say("229 ok (|||" + client.listen() + "|)"));
        on(
                "SIZE",
                (client, path) ->
                        client.say(files.containsKey(path) ? "213 " + files.get(path).length : "550 No such file"));
        on("MLST", this::facts);
        on("MLSD", (client, path) -> {
            client.say("150 ok");
            StringBuilder lines = new StringBuilder();
            files.forEach((name, bytes) -> lines.append("Type=file;Size=" + bytes.length + "; ")
                    .append(name.substring(1))
                    .append("\r\n"));
            client.send(lines.toString().getBytes(StandardCharsets.UTF_8));
            client.say("226 ok");
        });
        on("STOR", (client, path) -> {
            client.say("150 ok");
            files.put(path, client.receive());
            client.say("226 ok");
        });
        on("RETR", (client, path) -> {
            client.say("150 ok");
            client.send(files.getOrDefault(path, new byte[0]));
            client.say("226 ok");
        });
        on("DELE", (client, path) -> client.say(files.remove(path) == null ? "550 No such file" : "250 ok"));
        on("RNFR", (client, path) -> {
            client.renaming = path;
            client.say(files.containsKey(path) ? "350 ok" : "550 No such file");
        });
        on("RNTO", (client, path) -> {
            rename(client.renaming, path);
            client.say("250 ok");
        });
        Thread accepting = new Thread(this::accept, "scripted-server");
        accepting.setDaemon(true);
        accepting.start();
    }

    private void facts(Conversation client, String path) throws IOException {
        if (path.equals("/")) {
            client.say("250-ok\r\n Type=dir; /\r\n250 End");
        } else if (files.containsKey(path)) {
            client.say("250-ok\r\n Type=file;Size=" + files.get(path).length + "; " + path + "\r\n250 End");
        } else {
            client.say("550 No such file or directory");
        }
    }

    void rename(String from, String to) {
        files.put(to, Optional.ofNullable(files.remove(from)).orElseThrow());
    }

    /** Has it put no file in the place of another one. */
    void replaceNothing() {
        on("RNTO", (client, path) -> {
            if (files.containsKey(path)) {
                client.say("550 Rename failed.");
            } else {
                rename(client.renaming, path);
                client.say("250 ok");
            }
        });
    }

    /** Does this at a verb from now on. */
    void on(String verb, Answer answer) {
        answers.put(verb, answer);
    }

    /** Does this at a verb once, and then what it did before. */
    void once(String verb, Answer answer) {
        Answer before = Optional.ofNullable(answers.get(verb)).orElseThrow();
        on(verb, (client, argument) -> {
            on(verb, before);
            answer.to(client, argument);
        });
    }

    void say(String verb, String reply) {
        on(verb, (client, argument) -> client.say(reply));
    }

    /** Returns what clients said, but for logins. */
    List<String> commands() {
        return commands;
    }

    ClientConfig config() {
        ServerUrl url = ServerUrl.parse("ftp://bob@127.0.0.1:" + listening.getLocalPort() + "/");
        return ClientConfig.of(url, new Credentials("bob", "secret"));
    }

    private void accept() {
        while (!closed) {
            try {
                Socket socket = listening.accept();
                if (closed) {
                    // one that waits to accept may do so once more while its socket is closed
                    socket.close();
                    return;
                }
                sockets.add(socket);
                Thread talking = new Thread(() -> new Conversation(socket).run(), "scripted-client");
                talking.setDaemon(true);
                talking.start();
            } catch (IOException e) {
                return;
            }
        }
    }

    /** One client's session. */
    final class Conversation {
        private final Socket plain;
        private Socket socket; // the same, or TLS over it
        private Optional<SSLContext> tls = Optional.empty();
        private Optional<ServerSocket> data = Optional.empty();
        String renaming = "";

        Conversation(Socket socket) {
            this.plain = socket;
            this.socket = socket;
        }

        private void run() {
            try (plain) {
                say("220 ready");
                for (Optional<String> read = line(); read.isPresent(); read = line()) {
                    String line = read.get();
                    commands.add(line);
                    int space = line.indexOf(' ');
                    String verb = space < 0 ? line : line.substring(0, space);
                    Answer answer = answers.getOrDefault(verb, (client, argument) -> say("500 not understood"));
                    answer.to(this, space < 0 ? "" : line.substring(space + 1));
                }
            } catch (IOException e) {
                // the client left, or was left
            }
        }

        void say(String reply) throws IOException {
            OutputStream out = socket.getOutputStream();
            out.write((reply + "\r\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        }

        /** Reads a line and no byte behind it, which may be under TLS. */
        private Optional<String> line() throws IOException {
            InputStream in = socket.getInputStream();
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            int next = in.read();
            while (next >= 0 && next != '\n') {
                line.write(next);
                next = in.read();
            }
            return next < 0
                    ? Optional.empty()
                    : Optional.of(line.toString(StandardCharsets.UTF_8).replace("\r", ""));
        }

        /** Goes on under TLS; data is sent under it, too. */
        void secure(SSLContext context) throws IOException {
            say("234 ok");
            tls = Optional.of(context);
            socket = under(context, socket);
        }

        private static SSLSocket under(SSLContext context, Socket plain) throws IOException {
            SSLSocket secured = (SSLSocket) context.getSocketFactory().createSocket(plain, "client", 0, false);
            secured.setUseClientMode(false);
            return secured;
        }

        /** Ends the control connection. */
        void leave() throws IOException {
            socket.close();
        }

        int listen() throws IOException {
            return listen("127.0.0.1");
        }

        int listen(String address) throws IOException {
            ServerSocket server = new ServerSocket(0, 5, InetAddress.getByName(address));
            server.setSoTimeout(PATIENCE_MILLIS);
            data = Optional.of(server);
            return server.getLocalPort();
        }

        /** Takes the data connection. */
        Socket connection() throws IOException {
            try (ServerSocket server = data.orElseThrow()) {
                Socket connection = server.accept();
                sockets.add(connection);
                connection.setSoTimeout(PATIENCE_MILLIS);
                return connection;
            }
        }

        byte[] receive() throws IOException {
            try (Socket connection = connection()) {
                ByteArrayOutputStream all = new ByteArrayOutputStream();
                connection.getInputStream().transferTo(all);
                return all.toByteArray();
            }
        }

        void send(byte[] bytes) throws IOException {
            try (Socket connection = connection();
                    Socket sender = tls.isPresent() ? under(tls.get(), connection) : connection) {
                sender.getOutputStream().write(bytes);
            }
        }

        /** Sends, and ends the connection as if TLS had nothing to say about it. */
        void sendWithoutEnd(byte[] bytes) throws IOException {
            try (Socket connection = connection()) {
                under(tls.orElseThrow(), connection).getOutputStream().write(bytes);
            }
        }
    }

    /** Returns the first bytes of some. */
    static byte[] part(byte[] bytes, int length) {
        return Arrays.copyOf(bytes, length);
    }

    @Override
    public void close() throws IOException {
        closed = true;
        listening.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
