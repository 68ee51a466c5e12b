package io.longhaul.cli.state;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.longhaul.agent.AgentException;
import io.longhaul.agent.control.ControlAddress;
import io.longhaul.agent.control.ReceiptSelection;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the process that has a data directory open, over the Unix domain socket {@code control.sock} in it.
 *
 * <p>One line of JSON goes there, {@code {"command":"transfers"}} or {@code {"command":"cancel","id":"..."}}; objects
 * come back, one a line, until the other side closes. {@code {"error":"...","exit":7}} is a refusal.
 */
public final class ControlClient {
    private static final Logger LOG = LoggerFactory.getLogger(ControlClient.class);
    private static final JsonMapper JSON = new JsonMapper();

    /** Longer than it takes to check the signatures of all receipts of a large ledger. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private ControlClient() {}

    /** Returns the answer of the process that serves the directory; empty when none does. */
    public static Optional<List<JsonNode>> ask(Path data, String command, Optional<String> id) {
        return ask(data, command, id, PATIENCE);
    }

    /** Gives up when the process has said nothing for so long: it may be stopped. */
    static Optional<List<JsonNode>> ask(Path data, String command, Optional<String> id, Duration patience) {
        ObjectNode request = JSON.createObjectNode().put("command", command);
        id.ifPresent(value -> request.put("id", value));
        List<JsonNode> lines = new ArrayList<>();
        return ask(data, request, patience, lines::add) ? Optional.of(lines) : Optional.empty();
    }

    /**
     * Asks for receipts, of which there may be very many, and tells of each as it comes. An older process tells of all, whatever
     * is asked for. Returns false when no process serves the directory.
     */
    public static boolean receipts(Path data, ReceiptSelection selection, Consumer<JsonNode> lines) {
        ObjectNode request = JSON.createObjectNode().put("command", "receipts");
        request.set("receipts", selection.json());
        return ask(data, request, PATIENCE, lines);
    }

    private static boolean ask(Path data, ObjectNode request, Duration patience, Consumer<JsonNode> lines) {
        Path socket = ControlAddress.path(data);
        if (!Files.exists(socket)) {
            return false;
        }
        try (ControlAddress address = ControlAddress.of(data);
                SocketChannel channel = SocketChannel.open(address.socket())) {
            answered(channel, socket, request + "\n", patience, lines);
            return true;
        } catch (IOException e) {
            // A socket file that nobody listens on is what a killed process leaves.
            return false;
        }
    }

    private static void answered(
            SocketChannel channel, Path socket, String request, Duration patience, Consumer<JsonNode> lines) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(request.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            BufferedReader reader = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
            for (String line = next(reader, channel, patience); line != null; line = next(reader, channel, patience)) {
                lines.accept(checked(JSON.readTree(line)));
            }
        } catch (ClosedChannelException e) {
            throw new AgentException(
                    AgentException.Code.TRANSFER_FAILED,
                    socket + ": expected an answer of the process that has it open, found none within "
                            + patience.toSeconds() + " s: is it stopped?",
                    e);
        } catch (IOException e) {
            throw new AgentException(
                    AgentException.Code.TRANSFER_FAILED,
                    socket + ": the process that has it open broke off its answer: " + e.getMessage(),
                    e);
        }
    }

    /** A socket of this kind has no time limit of its own: who waits too long is woken by its end. */
    private static @Nullable String next(BufferedReader reader, SocketChannel channel, Duration patience)
            throws IOException {
        CompletableFuture<Void> heard =
                new CompletableFuture<Void>().orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS);
        heard.whenComplete((nothing, late) -> {
            if (late != null) {
                closeQuietly(channel);
            }
        });
        try {
            return reader.readLine();
        } finally {
            heard.complete(null);
        }
    }

    private static void closeQuietly(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("closing the control socket", e);
        }
    }

    private static JsonNode checked(JsonNode line) {
        if (line.has("error")) {
            throw new AgentException(
                    codeOf(line.path("exit").asInt()), line.path("error").asText());
        }
        return line;
    }

    private static AgentException.Code codeOf(int exit) {
        for (AgentException.Code code : AgentException.Code.values()) {
            if (code.exitCode() == exit) {
                return code;
            }
        }
        return AgentException.Code.REFUSED;
    }
}
