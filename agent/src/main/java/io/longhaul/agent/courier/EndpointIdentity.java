package io.longhaul.agent.courier;

import io.longhaul.agent.AgentException;
import io.longhaul.wire.Names;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Whose a data directory is: the endpoint's name, and an identity made at its first opening, by which a broker tells a
 * process that comes again from another one.
 *
 * <p>File {@code endpoint}: two lines, name and identity. One that is not there or not whole gets a new identity, which costs
 * at most that a predecessor has to be found dead by the broker.
 */
final class EndpointIdentity {
    private static final String FILE = "endpoint";
    private static final int LONGEST = 1024;
    private static final Pattern OWNER = Pattern.compile("[0-9a-f-]{36}");

    private EndpointIdentity() {}

    /** Returns the directory's identity; throws {@link AgentException} REFUSED when it is that of another endpoint. */
    static String of(String name, Path directory) {
        Path file = directory.resolve(FILE);
        try {
            List<String> lines = lines(file);
            if (lines.isEmpty()) {
                return make(name, file);
            }
            if (!lines.get(0).equals(name)) {
                throw new AgentException(
                        AgentException.Code.REFUSED,
                        "data directory " + directory + ": expected endpoint " + name + ", found that of endpoint "
                                + Names.shown(lines.get(0)) + "; give another directory or name");
            }
            return lines.get(1);
        } catch (IOException e) {
            throw new AgentException(AgentException.Code.REFUSED, "identity " + file + ": " + e, e);
        }
    }

    private static List<String> lines(Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) > LONGEST) {
            return List.of();
        }
        List<String> lines = new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
                .lines()
                .toList();
        return lines.size() == 2 && OWNER.matcher(lines.get(1)).matches() ? lines : List.of();
    }

    private static String make(String name, Path file) throws IOException {
        String owner = UUID.randomUUID().toString();
        Path fresh = file.resolveSibling(FILE + ".new");
        Files.writeString(fresh, name + '\n' + owner + '\n');
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        return owner;
    }
}
