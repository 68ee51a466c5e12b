package io.longhaul.gridftp.server;

/** The contract with uploads in MODE E. */
final class BlockContractIT extends FrontBehind {
    BlockContractIT() {
        super(true);
    }
}
