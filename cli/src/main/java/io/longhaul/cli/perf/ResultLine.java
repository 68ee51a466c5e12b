package io.longhaul.cli.perf;

import io.longhaul.cli.terminal.Amounts;
import io.longhaul.cli.terminal.JsonLine;
import io.longhaul.ptcp.perf.PerfResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/** A test's result as text and as an object. */
public final class ResultLine {
    private static final double NS = 1e9;

    private ResultLine() {}

    /** Returns the object; {@code peer} is the other end's address. */
    public static JsonLine object(String peer, PerfResult result) {
        List<Map<String, Object>> streams = new ArrayList<>();
        for (PerfResult.Share share : result.streams()) {
            Map<String, Object> stream = new LinkedHashMap<>();
            stream.put("number", share.number());
            stream.put("sentBytes", share.sentBytes());
            stream.put("receivedBytes", share.receivedBytes());
            streams.add(stream);
        }
        Map<String, Object> cpu = new LinkedHashMap<>();
        result.clientCpuNanos().ifPresent(ns -> cpu.put("client", ns / NS));
        result.serverCpuNanos().ifPresent(ns -> cpu.put("server", ns / NS));
        return JsonLine.of("result")
                .with("peer", peer)
                .with("reverse", result.order().reverse())
                .with("bytes", result.bytes())
                .with("seconds", result.seconds())
                .with("bitsPerSecond", Math.round(result.bitsPerSecond()))
                .with("streams", streams)
                .with("streamsLost", result.streamsLost())
                .with("resentBytes", result.resentBytes())
                .with("roundTripMicros", result.roundTripNanos() / 1000)
                .with("cpuSeconds", cpu);
    }

    /** Returns lines for a person. */
    public static String text(String peer, PerfResult result) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%s: %s received in %s: %s, CPU of client %s, of server %s",
                peer,
                Amounts.bytes(result.bytes()),
                Amounts.seconds(result.seconds()),
                Amounts.bitRate(result.bitsPerSecond()),
                cpu(result.clientCpuNanos()),
                cpu(result.serverCpuNanos())));
        if (result.streamsLost() > 0) {
            text.append(String.format(
                    Locale.ROOT,
                    "; %d streams lost, %s sent again",
                    result.streamsLost(),
                    Amounts.bytes(result.resentBytes())));
        }
        long all = result.streams().stream()
                .mapToLong(PerfResult.Share::receivedBytes)
                .sum();
        for (PerfResult.Share share : result.streams()) {
            text.append(String.format(
                    Locale.ROOT,
                    "%n  stream %2d: %9s, %5.1f %%",
                    share.number(),
                    Amounts.bytes(share.receivedBytes()),
                    all == 0 ? 0 : 100.0 * share.receivedBytes() / all));
        }
        return text.toString();
    }

    private static String cpu(OptionalLong nanos) {
        return nanos.isPresent() ? Amounts.seconds(nanos.getAsLong() / NS) : "unknown";
    }
}
