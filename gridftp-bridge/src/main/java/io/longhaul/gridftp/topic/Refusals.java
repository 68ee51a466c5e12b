package io.longhaul.gridftp.topic;

import io.longhaul.agent.AgentException;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.spi.PathWords;
import java.util.Map;

/** What failures are to a client, who knows a path and not where the front keeps it. */
final class Refusals {
    private Refusals() {}

    static BackendException of(FilePath path, Throwable failure) {
        if (failure instanceof BackendException known) {
            return known;
        }
        String message = path + ": topic " + TopicPath.topic(path) + ": " + failure.getMessage();
        Code code = failure instanceof AgentException known ? code(known.code()) : Code.FAILED;
        return new BackendException(code, message, failure);
    }

    private static Code code(AgentException.Code code) {
        return switch (code) {
            case USAGE -> Code.BAD_NAME;
            case UNREACHABLE, REFUSED, INTERRUPTED -> Code.UNAVAILABLE;
            case TRANSFER_FAILED, VERIFICATION_FAILED -> Code.FAILED;
        };
    }

    /** Returns the words of who knows the path and not the one in the store. */
    static PathWords words(FilePath stored, FilePath path) {
        return new PathWords(Map.of(stored, path));
    }
}
