package io.longhaul.it.bench.row;

import io.longhaul.it.bench.contender.Contender;
import io.longhaul.it.bench.contender.Stage;
import io.longhaul.it.bench.contender.Trial;
import io.longhaul.it.bench.measure.Figures;
import io.longhaul.it.bench.measure.Meter;
import io.longhaul.it.testbed.Trees;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Contenders that bring the same source to the same number of receivers, in turn, round after round. */
final class Comparison {
    private final Setting setting;
    private final int receivers;
    private final List<Column> columns = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    private final Consumer<Path> tidying;

    /** What is known of one contender. */
    static final class Column {
        private final String name;
        private final Supplier<Contender> maker;
        private final boolean warm;
        private final boolean once;
        private final Figures seconds = new Figures();
        private final Figures cpu = new Figures();
        private final Figures written = new Figures();
        private final Figures network = new Figures();
        private final Map<String, Figures> ratios = new HashMap<>();
        private final Map<String, Figures> cpuRatios = new HashMap<>();
        private final Map<String, Long> peaks = new TreeMap<>();

        private Column(String name, Supplier<Contender> maker, boolean warm, boolean once) {
            this.name = name;
            this.maker = maker;
            this.warm = warm;
            this.once = once;
        }

        String name() {
            return name;
        }

        boolean isOurs() {
            return name.startsWith("Longhaul");
        }

        Figures seconds() {
            return seconds;
        }

        /** Returns CPU seconds of a run. */
        Figures cpu() {
            return cpu;
        }

        /** Returns bytes written in a run. */
        Figures written() {
            return written;
        }

        /** Returns bytes that the loopback interface carried in a run. */
        Figures network() {
            return network;
        }

        /** Returns how many times as fast another column was in the same round. */
        Figures ratio(Column to) {
            return ratios.computeIfAbsent(to.name, name -> new Figures());
        }

        /** Returns how many times the CPU another column used in the same round. */
        Figures cpuRatio(Column to) {
            return cpuRatios.computeIfAbsent(to.name, name -> new Figures());
        }

        String memory() {
            return Meter.shown(peaks);
        }
    }

    Comparison(Setting setting, int receivers) {
        this(setting, receivers, Trees::delete);
    }

    /**
     * Makes one that leaves less behind, or more.
     *
     * @param tidying what is done with the directory of a turn after it
     */
    Comparison(Setting setting, int receivers, Consumer<Path> tidying) {
        this.setting = setting;
        this.receivers = receivers;
        this.tidying = tidying;
    }

    /** Adds a contender whose servers and receivers have just been started. */
    Comparison with(String name, Supplier<Contender> maker) {
        return add(name, maker, false, false);
    }

    /** Adds a contender whose servers and receivers have brought another file before. */
    Comparison withWarm(String name, Supplier<Contender> maker) {
        return add(name, maker, true, false);
    }

    /** Adds a contender that has its turn in the first round only. */
    Comparison withOnce(String name, Supplier<Contender> maker) {
        return add(name, maker, false, true);
    }

    private Comparison add(String name, Supplier<Contender> maker, boolean warm, boolean once) {
        if (!setting.takes(name)) {
            return this;
        }
        List<String> missing = maker.get().programs().stream()
                .filter(program -> !Stage.has(program, setting.programs()))
                .toList();
        if (missing.isEmpty()) {
            columns.add(new Column(name, maker, warm, once));
        } else {
            remark("MISSING: " + name + " is left out, it needs " + String.join(", ", missing));
        }
        return this;
    }

    private void remark(String text) {
        Setting.say("%s", text);
        if (!remarks.contains(text)) {
            remarks.add(text);
        }
    }

    /** Gives each contender its turn; who is first changes from round to round. */
    void round(int number, Path source, Path before) {
        List<Column> order = new ArrayList<>(columns);
        order.removeIf(column -> column.once && number > 1);
        Collections.rotate(order, 1 - number);
        Map<Column, Trial> trials = new HashMap<>();
        for (Column column : order) {
            try {
                Optional<Path> first = column.warm ? Optional.of(before) : Optional.empty();
                Trial trial =
                        Trial.of(setting.round(), setting.programs(), column.maker.get(), source, receivers, first);
                trials.put(column, trial);
                Setting.say(
                        "%s to %d, round %d, %s: %.2f s, %.2f CPU s, %.1f MB written",
                        source.getFileName(),
                        receivers,
                        number,
                        column.name,
                        trial.seconds(),
                        trial.usage().cpuSeconds(),
                        trial.usage().writtenBytes() / 1e6);
            } catch (AssertionError | RuntimeException e) {
                remark("FAILED: " + column.name + " in round " + number + ": "
                        + String.valueOf(e.getMessage()).lines().findFirst().orElse("?"));
                e.printStackTrace();
            } finally {
                tidying.accept(setting.round());
            }
        }
        trials.forEach((column, trial) -> {
            column.seconds.add(trial.seconds());
            column.cpu.add(trial.usage().cpuSeconds());
            column.written.add(trial.usage().writtenBytes());
            column.network.add(trial.usage().sentBytes());
            trial.usage().peakMemory().forEach((name, bytes) -> column.peaks.merge(name, bytes, Math::max));
            trials.forEach((other, its) -> {
                column.ratio(other).add(trial.seconds() / its.seconds());
                column.cpuRatio(other)
                        .add(its.usage().cpuSeconds() / trial.usage().cpuSeconds());
            });
        });
    }

    int receivers() {
        return receivers;
    }

    /** Returns those that have been measured. */
    List<Column> columns() {
        return columns.stream().filter(column -> !column.seconds.isEmpty()).toList();
    }

    Optional<Column> column(String name) {
        return columns().stream().filter(column -> column.name.equals(name)).findFirst();
    }

    /** Returns what was left out or failed, as lines to put below a table. */
    String remarks() {
        StringBuilder text = new StringBuilder();
        remarks.forEach(remark -> text.append("\n- ").append(remark));
        return remarks.isEmpty() ? "" : text.append('\n').toString();
    }
}
