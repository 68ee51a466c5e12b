package io.longhaul.ptcp.contract;

import io.longhaul.ptcp.PtcpConfig;

/** The contract, asked of parallel TCP as it is by default. */
class PtcpTransportIT extends AbstractPtcpContract {
    @Override
    PtcpConfig config() {
        return PtcpConfig.defaults();
    }
}
