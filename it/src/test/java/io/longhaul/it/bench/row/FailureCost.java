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
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What one SIGKILL in the middle of a transfer costs, in seconds and in bytes that travel again. */
final class FailureCost implements Row {
    private static final int MIB = 1024;
    private static final double MEBI = TestFile.MIB;

    private final Map<String, Line> lines = new LinkedHashMap<>();
    private final StringBuilder remarks = new StringBuilder();

    private record Line(Figures undisturbed, Figures extraSeconds, Figures extraMebibytes) {}

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
            Setting.say("%s: %.2f s, %.1f MiB again", what, found.seconds(), found.extraBytes() / MEBI);
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
        Line line = lines.computeIfAbsent(who, name -> new Line(new Figures(), new Figures(), new Figures()));
        line.undisturbed().add(usual.seconds());
        line.extraSeconds().add(found.seconds() - usual.seconds());
        line.extraMebibytes().add(found.extraBytes() / MEBI);
    }

    private String table() {
        StringBuilder text = new StringBuilder(
                "| killed and started again | seconds undisturbed | extra seconds | MiB sent again |\n|---|---|---|---|\n");
        lines.forEach((who, line) -> text.append("| ")
                .append(who)
                .append(" | ")
                .append(line.undisturbed().shown(2))
                .append(" | ")
                .append(line.extraSeconds().shown(2))
                .append(" | ")
                .append(line.extraMebibytes().shown(1))
                .append(" |\n"));
        text.append("\nGoal: 5 s at most, and no more than the windows of 32 MiB and a piece.\n");
        return text.append(remarks).append(remarks.length() > 0 ? "\n" : "").toString();
    }

    private String picture(long bytes) {
        String what = " after one SIGKILL in the middle of " + bytes / TestFile.MIB + " MiB";
        Bars bars = new Bars().group("extra seconds" + what);
        lines.forEach((who, line) -> bars.bar(who, line.extraSeconds(), who.startsWith("Longhaul")));
        bars.group("MiB sent again" + what);
        lines.forEach((who, line) -> bars.bar(who, line.extraMebibytes(), who.startsWith("Longhaul")));
        return bars.svg();
    }
}
