package io.longhaul.ptcp.perf;

import io.longhaul.ptcp.PtcpSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Puts together what both ends saw. */
final class Outcome {
    private Outcome() {}

    /** Takes the sender's report as null when it never came. */
    static PerfResult of(PerfOrder order, PerfReport received, @Nullable PerfReport sent, PtcpSnapshot here) {
        boolean clientSent = !order.reverse();
        PerfReport client = clientSent ? sent : received;
        PerfReport server = clientSent ? received : sent;
        return new PerfResult(
                order,
                received.bytes(),
                Math.max(1, received.nanos()),
                shares(received, sent),
                Math.max(received.streamsLost(), sent == null ? 0 : sent.streamsLost()),
                sent == null ? 0 : sent.resentBytes(),
                here.roundTripNanos(),
                cpu(client),
                cpu(server));
    }

    private static OptionalLong cpu(@Nullable PerfReport report) {
        return report == null ? OptionalLong.empty() : OptionalLong.of(report.cpuNanos());
    }

    private static List<PerfResult.Share> shares(PerfReport received, @Nullable PerfReport sent) {
        Map<Integer, PerfResult.Share> shares = new TreeMap<>();
        for (PtcpSnapshot.Stream stream : received.streams()) {
            shares.put(stream.number(), new PerfResult.Share(stream.number(), 0, stream.receivedBytes()));
        }
        for (PtcpSnapshot.Stream stream : sent == null ? List.<PtcpSnapshot.Stream>of() : sent.streams()) {
            PerfResult.Share known = shares.get(stream.number());
            shares.put(
                    stream.number(),
                    new PerfResult.Share(
                            stream.number(), stream.sentBytes(), known == null ? 0 : known.receivedBytes()));
        }
        return new ArrayList<>(shares.values());
    }
}
