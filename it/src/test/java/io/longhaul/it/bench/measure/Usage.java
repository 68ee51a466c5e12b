package io.longhaul.it.bench.measure;

import java.util.Map;

/**
 * What a run cost.
 *
 * @param cpuSeconds of all its processes
 * @param writtenBytes that they caused to be written to disk, as the kernel counts them when pages become dirty
 * @param sentBytes over the loopback interface, headers included, by whoever on this machine: right on a quiet one
 * @param peakMemory the greatest resident memory in bytes of each process; of several of a name the greatest
 */
public record Usage(double cpuSeconds, long writtenBytes, long sentBytes, Map<String, Long> peakMemory) {}
