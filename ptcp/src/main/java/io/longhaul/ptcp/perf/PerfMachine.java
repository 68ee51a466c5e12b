package io.longhaul.ptcp.perf;

import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;

/**
 * What tests need of the machine.
 *
 * @param nanoTime a clock for durations
 * @param cpuNanos CPU time of this process so far
 * @param timers where limits are watched; shared, not closed by tests
 */
public record PerfMachine(LongSupplier nanoTime, LongSupplier cpuNanos, ScheduledExecutorService timers) {}
