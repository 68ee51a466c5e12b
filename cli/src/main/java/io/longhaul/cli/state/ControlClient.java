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
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Asks the process that has a data directory open, over the Unix domain socket {@code control.sock} in it.
 *
 * <p>One line of JSON goes there, {@code {"command":"transfers"}} or {@code {"command":"cancel","id":"..."}}; objects
 * come back, one a line, until the other side closes. {@code {"error":"...","exit":7}} is a refusal.
 */
public final class ControlClient {
    private static final JsonMapper JSON = new JsonMapper();

    private ControlClient() {}

    /** Returns the answer of the process that serves the directory; empty when none does. */
    public static Optional<List<JsonNode>> ask(Path data, String command, Optional<String> id) {
        Path socket = ControlAddress.path(data);
        if (!Files.exists(socket)) {
            return Optional.empty();
        }
        try (ControlAddress address = ControlAddress.of(data);
                SocketChannel channel = SocketChannel.open(address.socket())) {
            return Optional.of(answered(channel, socket, request(command, id)));
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

    private static List<JsonNode> answered(SocketChannel channel, Path socket, String request) {
        List<JsonNode> lines = new ArrayList<>();
        try {
            ByteBuffer bytes = ByteBuffer.wrap(request.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            BufferedReader reader = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(checked(JSON.readTree(line)));
            }
        } catch (IOException e) {
            throw new AgentException(
                    AgentException.Code.TRANSFER_FAILED,
                    socket + ": the process that has it open broke off its answer: " + e.getMessage(),
                    e);
        }
        return lines;
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
