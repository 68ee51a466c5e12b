package io.longhaul.gridftp.server;

/** The contract with uploads in MODE S. */
final class StreamContractIT extends FrontBehind {
    StreamContractIT() {
        super(false);
    }
}
