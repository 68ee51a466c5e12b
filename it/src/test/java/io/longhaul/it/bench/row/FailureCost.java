package io.longhaul.it.bench.row;

import io.longhaul.it.bench.contender.GlobusKilled;
import io.longhaul.it.bench.contender.Interrupted;
import io.longhaul.it.bench.contender.LonghaulKilled;
import io.longhaul.it.bench.contender.Stage;
import io.longhaul.it.bench.measure.Bars;
import io.longhaul.it.bench.measure.Figures;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Trees;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What one SIGKILL in the middle of a transfer costs, in seconds and in bytes that travel again. */
final class FailureCost implements Row {
    private static final int MIB = 1024;
    private static final double MEBI = TestFile.MIB;
    private static final List<String> AGAIN =
            List.of("MiB sent again by publisher or client", "MiB that the subscriber had already");

    private final Map<String, Line> lines = new LinkedHashMap<>();
    private final StringBuilder remarks = new StringBuilder();

    /** In the last one figures for each of {@link #AGAIN}; none where there is no such link. */
    private record Line(Figures undisturbed, Figures extraSeconds, List<Figures> again) {
        Line() {
            this(
                    new Figures(),
                    new Figures(),
                    AGAIN.stream().map(link -> new Figures()).toList());
        }
    }

    private interface Transfer {
        Interrupted run(Stage stage);
    }

    @Override
    public String name() {
        return "failure";
    }

    @Override
    public void measure(Setting setting) {
        long bytes = setting.size().of(MIB) * TestFile.MIB;
        for (int round = 1; round <= setting.rounds(); round++) {
            Path source = TestFile.random(setting.work().resolve("source.bin"), round, bytes);
            longhaul(setting, source);
            globus(setting, source);
            setting.publish(name(), table(), picture(bytes));
        }
    }

    private void longhaul(Setting setting, Path source) {
        play(
                        setting,
                        "Longhaul, undisturbed",
                        stage -> LonghaulKilled.run(stage, source, Optional.empty(), Duration.ZERO))
                .ifPresent(usual -> LonghaulKilled.victims()
                        .forEach(victim -> play(
                                        setting,
                                        "Longhaul, " + victim.name().toLowerCase(Locale.ROOT) + " killed",
                                        stage -> LonghaulKilled.run(stage, source, Optional.of(victim), middle(usual)))
                                .ifPresent(found ->
                                        add("Longhaul: " + victim.name().toLowerCase(Locale.ROOT), usual, found))));
    }

    private void globus(Setting setting, Path source) {
        if (!Stage.has("globus-url-copy", setting.programs())
                || !Stage.has("globus-gridftp-server", setting.programs())) {
            remark("MISSING: globus-url-copy or globus-gridftp-server");
            return;
        }
        play(setting, "globus, undisturbed", stage -> GlobusKilled.run(stage, source, Optional.empty()))
                .ifPresent(usual -> {
                    for (GlobusKilled.Victim victim : GlobusKilled.Victim.values()) {
                        String who = "globus-url-copy: " + victim.name().toLowerCase(Locale.ROOT);
                        play(setting, who + " killed", stage -> GlobusKilled.run(stage, source, Optional.of(victim)))
                                .ifPresent(found -> add(who, usual, found));
                    }
                });
    }

    private static Duration middle(Interrupted usual) {
        return Duration.ofMillis((long) (usual.seconds() * 500));
    }

    private Optional<Interrupted> play(Setting setting, String what, Transfer transfer) {
        try (Stage stage = Stage.open(setting.round(), setting.programs())) {
            Interrupted found = transfer.run(stage);
            Setting.say("%s: %.2f s, bytes again %s", what, found.seconds(), found.againBytes());
            return Optional.of(found);
        } catch (AssertionError | RuntimeException e) {
            remark("FAILED: " + what + ": "
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse("?"));
            return Optional.empty();
        } finally {
            Trees.delete(setting.round());
        }
    }

    private void remark(String text) {
        Setting.say("%s", text);
        remarks.append("\n- ").append(text);
    }

    private void add(String who, Interrupted usual, Interrupted found) {
        Line line = lines.computeIfAbsent(who, name -> new Line());
        line.undisturbed().add(usual.seconds());
        line.extraSeconds().add(found.seconds() - usual.seconds());
        for (int link = 0; link < found.againBytes().size(); link++) {
            line.again().get(link).add(found.againBytes().get(link) / MEBI);
        }
    }

    private String table() {
        StringBuilder text = new StringBuilder("| killed and started again | seconds undisturbed | extra seconds | "
                + String.join(" | ", AGAIN) + " |\n|---|---|---|---|---|\n");
        lines.forEach((who, line) -> text.append("| ")
                .append(who)
                .append(" | ")
                .append(line.undisturbed().shown(2))
                .append(" | ")
                .append(line.extraSeconds().shown(2))
                .append(" | ")
                .append(line.again().stream().map(link -> link.shown(1)).collect(Collectors.joining(" | ")))
                .append(" |\n"));
        text.append("\nGoal: 5 s at most, and on each link no more than its window of 32 MiB and a piece.\n");
        return text.append(remarks).append(remarks.length() > 0 ? "\n" : "").toString();
    }

    private String picture(long bytes) {
        String what = " after one SIGKILL in the middle of " + bytes / TestFile.MIB + " MiB";
        Bars bars = new Bars().group("extra seconds" + what);
        lines.forEach((who, line) -> bars.bar(who, line.extraSeconds(), who.startsWith("Longhaul")));
        for (int i = 0; i < AGAIN.size(); i++) {
            int link = i;
            bars.group(AGAIN.get(link) + what);
            lines.forEach((who, line) -> bars.bar(who, line.again().get(link), who.startsWith("Longhaul")));
        }
        return bars.svg();
    }
}
