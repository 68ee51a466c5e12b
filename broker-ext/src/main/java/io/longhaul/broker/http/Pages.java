package io.longhaul.broker.http;

import java.util.Optional;

/** What a server has to show. */
@FunctionalInterface
public interface Pages {
    /**
     * Returns the page at a path, made anew; empty when there is none.
     *
     * <p>Called on the server's event loop. An exception becomes an answer with status 500.
     *
     * @param path begins with a slash; without query
     */
    Optional<Page> page(String path);
}
