package io.longhaul.cli;

import io.longhaul.cli.option.ByteSize;
import io.longhaul.ptcp.PtcpConfig;
import io.longhaul.ptcp.perf.PerfMachine;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How either end of a measured connection behaves. */
final class PtcpOptions {
    @Option(
            names = "--window",
            paramLabel = "SIZE",
            converter = ByteSize.Converter.class,
            description = "Most bytes on their way; the smaller value of both ends holds. Default: 128MiB.")
    @Nullable
    ByteSize window;

    @Option(
            names = "--packet",
            paramLabel = "SIZE",
            converter = ByteSize.Converter.class,
            description = "Most bytes in a packet; the smaller value of both ends holds. Default: 512KiB, server 1MiB.")
    @Nullable
    ByteSize packet;

    @Option(
            names = "--socket-buffer",
            paramLabel = "SIZE",
            converter = ByteSize.Converter.class,
            description = "Send and receive buffer of each socket. Default: the system's choice.")
    @Nullable
    ByteSize socketBuffer;

    /** Returns the configuration with what was given in the place of its own. */
    PtcpConfig applyTo(PtcpConfig config) {
        long windowBytes = within(
                "--window", window, config.windowBytes(), PtcpConfig.LEAST_WINDOW_BYTES, PtcpConfig.MOST_WINDOW_BYTES);
        long packetBytes = within(
                "--packet",
                packet,
                Math.min(config.packetBytes(), windowBytes),
                PtcpConfig.LEAST_PACKET_BYTES,
                Math.min(PtcpConfig.MOST_PACKET_BYTES, windowBytes));
        long bufferBytes = within(
                "--socket-buffer", socketBuffer, config.socketBufferBytes(), 0, PtcpConfig.MOST_SOCKET_BUFFER_BYTES);
        return config.withSizes((int) packetBytes, windowBytes).withSocketBuffer((int) bufferBytes);
    }

    private static long within(String option, @Nullable ByteSize given, long otherwise, long least, long most) {
        long bytes = given == null ? otherwise : given.bytes();
        if (bytes < least || bytes > most) {
            throw new IllegalArgumentException(
                    option + ": expected " + least + " to " + most + " bytes, found " + bytes);
        }
        return bytes;
    }

    /** Returns how many threads move bytes: more than cores only get into each other's way. */
    static int threads() {
        return Math.max(1, Math.min(4, Runtime.getRuntime().availableProcessors()));
    }

    /** Returns the clocks of this process. */
    static PerfMachine machine(Environment environment) {
        return new PerfMachine(
                environment.nanoTime(),
                () -> ProcessHandle.current()
                        .info()
                        .totalCpuDuration()
                        .map(Duration::toNanos)
                        .orElse(0L),
                environment.threads());
    }
}
