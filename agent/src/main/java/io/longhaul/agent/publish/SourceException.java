package io.longhaul.agent.publish;

/** The source cannot be published, or not any more; the message names the file, what was expected and what was found. */
final class SourceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SourceException(String message) {
        super(message);
    }

    SourceException(String message, Throwable cause) {
        super(message, cause);
    }
}
