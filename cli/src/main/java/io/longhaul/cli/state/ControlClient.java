package io.longhaul.cli.state;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.longhaul.agent.AgentException;
import io.longhaul.agent.control.ControlAddress;
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
        Path socket = ControlAddress.path(data);
        if (!Files.exists(socket)) {
            return Optional.empty();
        }
        try (ControlAddress address = ControlAddress.of(data);
                SocketChannel channel = SocketChannel.open(address.socket())) {
            return Optional.of(answered(channel, socket, request(command, id), patience));
        } catch (IOException e) {
            // A socket file that nobody listens on is what a killed process leaves.
            return Optional.empty();
        }
    }

    private static String request(String command, Optional<String> id) {
        ObjectNode request = JSON.createObjectNode().put("command", command);
        id.ifPresent(value -> request.put("id", value));
        return request + "\n";
    }

    private static List<JsonNode> answered(SocketChannel channel, Path socket, String request, Duration patience) {
        List<JsonNode> lines = new ArrayList<>();
        try {
            ByteBuffer bytes = ByteBuffer.wrap(request.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            BufferedReader reader = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
            for (String line = next(reader, channel, patience); line != null; line = next(reader, channel, patience)) {
                lines.add(checked(JSON.readTree(line)));
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
        return lines;
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
