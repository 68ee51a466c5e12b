package io.longhaul.broker.metrics;

import com.sun.management.UnixOperatingSystemMXBean;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.OperatingSystemMXBean;
import java.lang.management.RuntimeMXBean;
import java.lang.management.ThreadMXBean;

/**
 * What the process uses: memory, threads, processor, files.
 *
 * <p>Few and with the names of this project instead of Micrometer's own binders, whose dozens of series are more than
 * those of a small broker.
 */
final class ProcessMeters {
    private ProcessMeters() {}

    static void register(MeterRegistry registry) {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        Gauge.builder(
                        "longhaul.jvm.heap.used",
                        memory,
                        bean -> bean.getHeapMemoryUsage().getUsed())
                .baseUnit("bytes")
                .description("Heap in use, garbage included")
                .register(registry);
        Gauge.builder(
                        "longhaul.jvm.heap.max",
                        memory,
                        bean -> bean.getHeapMemoryUsage().getMax())
                .baseUnit("bytes")
                .description("Most that the heap may take")
                .register(registry);
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .forEach(pool -> Gauge.builder("longhaul.jvm.direct.used", pool, BufferPoolMXBean::getMemoryUsed)
                        .baseUnit("bytes")
                        .description("Buffers beside the heap, those of the network above all")
                        .register(registry));
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        Gauge.builder("longhaul.jvm.threads", threads, ThreadMXBean::getThreadCount)
                .description("Threads of the process")
                .register(registry);
        ManagementFactory.getGarbageCollectorMXBeans().forEach(collector -> collector(registry, collector));
        RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
        Gauge.builder("longhaul.process.uptime", runtime, bean -> bean.getUptime() / 1e3)
                .baseUnit("seconds")
                .description("Time since the process was started")
                .register(registry);
        system(registry, ManagementFactory.getOperatingSystemMXBean());
    }

    private static void collector(MeterRegistry registry, GarbageCollectorMXBean collector) {
        FunctionCounter.builder("longhaul.jvm.gc", collector, bean -> bean.getCollectionTime() / 1e3)
                .baseUnit("seconds")
                .tags("collector", collector.getName())
                .description("Time spent in collections of garbage")
                .register(registry);
        FunctionCounter.builder("longhaul.jvm.gc.collections", collector, GarbageCollectorMXBean::getCollectionCount)
                .tags("collector", collector.getName())
                .description("Collections of garbage")
                .register(registry);
    }

    private static void system(MeterRegistry registry, OperatingSystemMXBean system) {
        if (system instanceof UnixOperatingSystemMXBean unix) {
            FunctionCounter.builder("longhaul.process.cpu", unix, bean -> bean.getProcessCpuTime() / 1e9)
                    .baseUnit("seconds")
                    .description("Processor time of the process, all cores together")
                    .register(registry);
            Gauge.builder("longhaul.process.open.files", unix, UnixOperatingSystemMXBean::getOpenFileDescriptorCount)
                    .description("Files and connections that are open")
                    .register(registry);
            Gauge.builder("longhaul.process.max.files", unix, UnixOperatingSystemMXBean::getMaxFileDescriptorCount)
                    .description("Most files and connections that may be open")
                    .register(registry);
        }
    }
}
