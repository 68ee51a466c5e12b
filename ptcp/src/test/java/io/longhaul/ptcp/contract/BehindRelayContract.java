package io.longhaul.ptcp.contract;

import org.junit.jupiter.api.AfterEach;

/** Parallel TCP with a {@link Relay} between the ends. */
abstract class BehindRelayContract extends AbstractPtcpContract {
    private Relay relay;

    abstract Relay relay(int target) throws Exception;

    final Relay relay() {
        return relay;
    }

    @Override
    int between(int port) throws Exception {
        relay = relay(port);
        return relay.port();
    }

    @AfterEach
    void closeRelay() throws Exception {
        relay.close();
    }
}
