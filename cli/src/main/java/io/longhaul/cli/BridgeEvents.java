package io.longhaul.cli;

import io.longhaul.cli.terminal.Console;
import io.longhaul.cli.terminal.JsonLine;
import io.longhaul.gridftp.remote.TransferEnd;
import java.util.Locale;

/** Tells what became of transfers, in a line of {@code --json} each. Thread-safe. */
final class BridgeEvents implements TransferEnd.Listener {
    private final Console console;

    BridgeEvents(Console console) {
        this.console = console;
    }

    @Override
    public void accept(TransferEnd end) {
        String kind = end.kind().name().toLowerCase(Locale.ROOT);
        JsonLine line = JsonLine.of("transfer")
                .with("kind", kind)
                .with("endpoint", end.endpoint())
                .with("path", end.path().toString())
                .with("bytes", end.bytes())
                .with("ok", end.failure().isEmpty())
                .with("blockBytesSent", end.traffic().sentBytes())
                .with("blockBytesReceived", end.traffic().receivedBytes());
        end.failure().ifPresent(why -> line.with("failure", why));
        console.event(line);
    }
}
