package io.longhaul.ptcp.contract;

import io.longhaul.ptcp.PtcpConfig;

/** The contract, asked of four streams with small packets and the smallest window, so that much waits for much. */
class FourStreamsIT extends AbstractPtcpContract {
    @Override
    PtcpConfig config() {
        return PtcpConfig.defaults().withStreams(4).withSizes(1500, 256 * 1024);
    }
}
