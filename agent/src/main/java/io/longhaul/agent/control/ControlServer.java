package io.longhaul.agent.control;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.longhaul.agent.AgentException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers one line of JSON a connection: {@code {"command":"transfers"}} and so on, with lines of JSON.
 *
 * <p>The socket lies in the agent's data directory and is open to its owner only. Each connection has a thread of its own, so
 * that one that says nothing holds up no other.
 */
public final class ControlServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ControlServer.class);
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int MAX_REQUEST_BYTES = 16 * 1024;
    private static final long RETRY_NS = 200_000_000;

    private final ServerSocketChannel server;
    private final Path path;
    private final ThreadFactory threads;
    private final Commands commands;
    private final Set<SocketChannel> clients = ConcurrentHashMap.newKeySet();

    /** What can be asked. */
    public interface Commands {
        /**
         * Does what is asked.
         *
         * @param lines takes the lines of the answer, each of which may go out at once
         */
        void run(Request request, Consumer<String> lines);
    }

    /**
     * What is asked.
     *
     * @param id of a transfer, or of what else the command is about; empty when none
     * @param receipts which receipts are asked for
     */
    public record Request(String command, String id, ReceiptSelection receipts) {}

    private ControlServer(ServerSocketChannel server, Path path, ThreadFactory threads, Commands commands) {
        this.server = server;
        this.path = path;
        this.threads = threads;
        this.commands = commands;
    }

    /** Starts to answer; returns null, with a line in the log, where such a socket cannot be: the agent works without. */
    public static @Nullable ControlServer start(Path data, ThreadFactory threads, Commands commands) {
        Path path = ControlAddress.path(data);
        ServerSocketChannel server = null;
        try (ControlAddress address = ControlAddress.of(data)) {
            Files.deleteIfExists(path);
            server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            server.bind(address.socket());
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
            ControlServer started = new ControlServer(server, path, threads, commands);
            threads.newThread(started::run).start();
            return started;
        } catch (IOException | UnsupportedOperationException e) {
            LOG.warn("no control socket at {}: {}", path, e.getMessage());
            closeQuietly(server);
            return null;
        }
    }

    private void run() {
        while (server.isOpen()) {
            try {
                SocketChannel client = server.accept();
                clients.add(client);
                threads.newThread(() -> serve(client)).start();
            } catch (IOException e) {
                LOG.debug("control socket", e);
                rest();
            }
        }
        clients.forEach(ControlServer::closeQuietly); // one may have come in since the close
    }

    /** What fails at once fails again, as long as this process has too many open files: it must not take a processor. */
    private void rest() {
        if (server.isOpen()) {
            LockSupport.parkNanos(RETRY_NS);
        }
    }

    private void serve(SocketChannel client) {
        try (client;
                Writer out = new BufferedWriter(Channels.newWriter(client, StandardCharsets.UTF_8))) {
            answer(request(client), line -> write(out, line));
        } catch (IOException | UncheckedIOException e) {
            LOG.debug("control connection", e);
        } finally {
            clients.remove(client);
        }
    }

    private static String request(SocketChannel client) throws IOException {
        ByteBuffer in = ByteBuffer.allocate(MAX_REQUEST_BYTES);
        while (in.hasRemaining() && client.read(in) >= 0) {
            String text = new String(in.array(), 0, in.position(), StandardCharsets.UTF_8);
            if (text.indexOf('\n') >= 0) {
                return text.substring(0, text.indexOf('\n'));
            }
        }
        return new String(in.array(), 0, in.position(), StandardCharsets.UTF_8);
    }

    private void answer(String request, Consumer<String> lines) {
        try {
            JsonNode node = JSON.readTree(request);
            Request asked = new Request(
                    node.path("command").asText(""),
                    node.path("id").asText(""),
                    ReceiptSelection.of(node.path("receipts")));
            commands.run(asked, lines);
        } catch (JsonProcessingException e) {
            lines.accept(error("request: expected one line of JSON", AgentException.Code.USAGE.exitCode()));
        } catch (AgentException e) {
            lines.accept(error(String.valueOf(e.getMessage()), e.code().exitCode()));
        } catch (UncheckedIOException e) {
            throw e; // who asked has gone
        } catch (RuntimeException e) {
            LOG.warn("control request failed: {}", e.toString());
            lines.accept(error("request failed: " + e.getMessage(), AgentException.Code.TRANSFER_FAILED.exitCode()));
        }
    }

    private static void write(Writer out, String line) {
        try {
            out.write(line);
            out.write('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String error(String line, int exit) {
        return JSON.createObjectNode().put("error", line).put("exit", exit).toString();
    }

    private static void closeQuietly(@Nullable Channel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            LOG.debug("closing a control socket", e);
        }
    }

    @Override
    public void close() {
        closeQuietly(server);
        clients.forEach(ControlServer::closeQuietly);
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            LOG.debug("removing {}", path, e);
        }
    }
}
