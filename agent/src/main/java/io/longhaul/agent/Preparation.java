package io.longhaul.agent;

import io.longhaul.storage.Store;
import io.longhaul.wire.Cancel;
import io.longhaul.wire.FrameCodec;
import io.longhaul.wire.TransferId;

/** Loads the database of a ledger and the codec of messages, by using both for nothing. */
final class Preparation {
    private Preparation() {}

    static void run() {
        try {
            Store.prepare();
            FrameCodec.encode(new Cancel(TransferId.parse("0".repeat(32)), ""));
        } catch (RuntimeException | Error e) {
            // whoever opens an agent is told
        }
    }
}
