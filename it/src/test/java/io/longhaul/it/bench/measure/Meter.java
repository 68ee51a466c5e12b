package io.longhaul.it.bench.measure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Counts what the processes of one run cost, whatever they start in turn: CPU by a control group, bytes written by what the
 * kernel counts for each process and hands to its parent, memory by looking often.
 *
 * <p>Where control groups cannot be had, CPU is that of the children of this process and of theirs: what left its parent
 * is not counted then.
 */
public final class Meter implements AutoCloseable {
    private static final long LOOK_MILLIS = 50;

    /** Of many processes less often, so that looking takes no more than such a part of a processor. */
    private static final int LOOKING_PART = 100;

    private static final int SHOWN = 4;

    /** What a process is called before it has become what was asked for, and been given its name. */
    private static final Set<String> UNNAMED = Set.of("sh", "java");

    private static final String SELF = "self";
    private static boolean warned; // guarded by the class

    private final Optional<ControlGroup> group = ControlGroup.make();
    private final Map<Long, String> labels = new ConcurrentHashMap<>();
    private final Map<String, Long> peaks = new TreeMap<>(); // guarded by this
    private final ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "bench-meter-1");
        thread.setDaemon(true);
        return thread;
    });
    private double cpuBefore;
    private long writtenBefore;
    private long sentBefore;
    private LongSupplier sent = Processes::sentOverLoopback;

    private Meter() {}

    public static Meter open() {
        Meter meter = new Meter();
        if (meter.group.isEmpty()) {
            warn();
        }
        meter.looks.execute(meter::lookAndPlan);
        return meter;
    }

    private void lookAndPlan() {
        long beganNs = System.nanoTime();
        look();
        long tookNs = System.nanoTime() - beganNs;
        long pauseNs = Math.max(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS), LOOKING_PART * tookNs);
        looks.schedule(this::lookAndPlan, pauseNs, TimeUnit.NANOSECONDS);
    }

    private static synchronized void warn() {
        if (!warned) {
            System.err.println("WARNING: no control groups here (not root?); CPU is counted by parents of processes");
            warned = true;
        }
    }

    /** Returns the command that runs another one where it is counted. */
    public List<String> counted(List<String> command) {
        if (group.isEmpty()) {
            return command;
        }
        List<String> outer =
                new ArrayList<>(List.of("sh", "-c", "echo $$ >" + group.get().door() + " && exec \"$@\"", "counted"));
        outer.addAll(command);
        return outer;
    }

    /** Gives a process the name under which its memory is told. */
    public void name(long pid, String label) {
        labels.put(pid, label);
    }

    /** Counts bytes sent elsewhere than on the loopback interface. */
    public void countSent(LongSupplier counter) {
        sent = counter;
    }

    /** Counts from here. */
    public void begin() {
        cpuBefore = cpuSeconds();
        writtenBefore = written();
        sentBefore = sent.getAsLong();
    }

    /** Returns what was used since {@link #begin}; memory from the start of each process. */
    public Usage end() {
        look();
        synchronized (this) {
            return new Usage(
                    cpuSeconds() - cpuBefore,
                    written() - writtenBefore,
                    sent.getAsLong() - sentBefore,
                    Map.copyOf(peaks));
        }
    }

    private double cpuSeconds() {
        if (group.isPresent()) {
            return group.get().cpuSeconds();
        }
        return Processes.cpuSeconds(SELF, true)
                + alive().stream()
                        .mapToDouble(pid -> Processes.cpuSeconds(pid.toString(), false))
                        .sum();
    }

    private long written() {
        return Processes.written(SELF)
                + alive().stream()
                        .mapToLong(pid -> Processes.written(pid.toString()))
                        .sum();
    }

    private List<Long> alive() {
        return group.map(ControlGroup::processes)
                .orElseGet(() -> ProcessHandle.current()
                        .descendants()
                        .map(ProcessHandle::pid)
                        .toList());
    }

    private synchronized void look() {
        for (Long pid : alive()) {
            String name = labels.containsKey(pid) ? labels.get(pid) : Processes.name(pid.toString());
            if (!name.isEmpty() && !UNNAMED.contains(name)) {
                peaks.merge(name, Processes.peakMemory(pid.toString()), Math::max);
            }
        }
    }

    /** Shows memory of processes as MiB, the greatest first, without the small fry. */
    public static String shown(Map<String, Long> peaks) {
        return peaks.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()))
                .limit(SHOWN)
                .map(entry -> entry.getKey() + ' ' + Math.round(entry.getValue() / 1048576.0))
                .reduce((one, other) -> one + ", " + other)
                .orElse("-");
    }

    /** Ends what is still counted, and counts no longer. */
    @Override
    public void close() {
        looks.shutdownNow();
        group.ifPresent(ControlGroup::close);
    }
}
