package io.longhaul.gridftp.spi;

import java.util.Optional;

/**
 * One more place for a file that is written.
 *
 * @param label what clients are told of it: a URL without a password
 * @param server where it is; empty for the door's own files
 * @param path of the file there
 */
public record Copy(String label, Optional<Server> server, FilePath path) {
    /**
     * Another server.
     *
     * @param host name or address, without brackets
     * @param login empty for nobody in particular
     */
    public record Server(String host, int port, Optional<Login> login) {
        /** Returns {@code HOST:PORT}. */
        public String address() {
            return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
        }

        @Override
        public String toString() {
            return address();
        }
    }

    /** Who logs in there. */
    public record Login(String user, String password) {
        @Override
        public String toString() {
            return user;
        }
    }
}
