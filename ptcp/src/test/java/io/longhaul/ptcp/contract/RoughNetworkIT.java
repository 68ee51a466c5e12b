package io.longhaul.ptcp.contract;

import io.longhaul.ptcp.PtcpConfig;

/** The contract, with pieces of random length and random delays, so that streams overtake each other all the time. */
class RoughNetworkIT extends BehindRelayContract {
    @Override
    PtcpConfig config() {
        return PtcpConfig.defaults().withStreams(5);
    }

    @Override
    Relay relay(int target) throws Exception {
        return new Relay(target, 100_000, 3_000_000);
    }
}
