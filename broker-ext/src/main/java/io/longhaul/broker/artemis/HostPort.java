package io.longhaul.broker.artemis;

/** A place to listen on; port 0 stands for a free one. */
public record HostPort(String host, int port) {
    @Override
    public String toString() {
        return host.indexOf(':') < 0 ? host + ":" + port : "[" + host + "]:" + port;
    }
}
