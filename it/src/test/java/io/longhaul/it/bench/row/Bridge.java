package io.longhaul.it.bench.row;

import io.longhaul.it.bench.contender.FtpLatency;
import io.longhaul.it.bench.contender.GridFtpCopy;
import io.longhaul.it.bench.contender.GridFtpServer;
import io.longhaul.it.bench.contender.Stage;
import io.longhaul.it.bench.measure.Bars;
import io.longhaul.it.bench.measure.Figures;
import io.longhaul.it.bench.row.Comparison.Column;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An unmodified client at Longhaul's front and at a server of Globus: files up and down, and how long commands take. */
final class Bridge implements Row {
    private static final int MIB = 1024;
    /** A front serves for days, not for its first second. */
    private static final FtpLatency.Counts COUNTS = new FtpLatency.Counts(20, 1000, 500);

    private static final List<List<String>> MODES = List.of(List.of(), List.of("-p", "1"), List.of("-p", "4"));

    private final Map<String, GridFtpServer> servers = new LinkedHashMap<>();
    private final Map<String, Figures> logins = new LinkedHashMap<>();
    private final Map<String, Figures> commands = new LinkedHashMap<>();
    private final StringBuilder remarks = new StringBuilder();

    Bridge() {
        servers.put("Longhaul front", GridFtpServer.front());
        servers.put("Longhaul front, broker, back", GridFtpServer.frontAndBack());
        servers.put("globus-gridftp-server", GridFtpServer.globus());
    }

    @Override
    public String name() {
        return "bridge";
    }

    @Override
    public void measure(Setting setting) throws IOException {
        long bytes = setting.size().of(MIB) * TestFile.MIB;
        if (!hasBack(setting)) {
            servers.remove("Longhaul front, broker, back");
            String missing = "MISSING: 'longhaul bridge back', so that the way through a broker is not measured";
            Setting.say("%s", missing);
            remarks.append("\n- ").append(missing).append('\n');
        }
        Map<String, Comparison> comparisons = new LinkedHashMap<>();
        for (boolean upload : new boolean[] {true, false}) {
            for (List<String> mode : MODES) {
                Comparison comparison = new Comparison(setting, 1);
                servers.forEach((who, server) -> comparison.with(who, () -> new GridFtpCopy(server, upload, mode)));
                comparisons.put(
                        (upload ? "up" : "down") + (mode.isEmpty() ? ", stream" : ", " + String.join(" ", mode)),
                        comparison);
            }
        }
        for (int round = 1; round <= setting.rounds(); round++) {
            Path source = TestFile.random(setting.work().resolve("source.bin"), round, bytes);
            for (Comparison comparison : comparisons.values()) {
                comparison.round(round, source, source);
            }
            for (String who : servers.keySet()) {
                latency(setting, who);
            }
            setting.publish(name(), table(comparisons, bytes), picture(comparisons, bytes));
        }
    }

    /** Asks the command itself, by its help. */
    private static boolean hasBack(Setting setting) {
        try (Stage stage = Stage.open(setting.round(), setting.programs())) {
            return Help.of(stage, "bridge")
                    .lines()
                    .anyMatch(line -> line.strip().startsWith("back "));
        } finally {
            Trees.delete(setting.round());
        }
    }

    private void latency(Setting setting, String who) throws IOException {
        try (Stage stage = Stage.open(setting.round(), setting.programs())) {
            Path directory = stage.testbed().directory("served");
            String url = servers.get(who).serve(stage, directory);
            Files.writeString(directory.resolve("file"), "something");
            String path = url.replaceFirst("ftp://[^/]*", "") + "file";
            FtpLatency found = FtpLatency.of(url, path, COUNTS);
            found.logins()
                    .forEach(each ->
                            logins.computeIfAbsent(who, name -> new Figures()).add(each));
            found.commands()
                    .forEach(each ->
                            commands.computeIfAbsent(who, name -> new Figures()).add(each));
        } catch (AssertionError | RuntimeException e) {
            remarks.append("\n- FAILED: latency of ").append(who).append(": ").append(e.getMessage());
        } finally {
            Trees.delete(setting.round());
        }
    }

    private String table(Map<String, Comparison> comparisons, long bytes) {
        StringBuilder text = new StringBuilder(
                "| copy | server | MB/s | times the rate of globus-gridftp-server | CPU s/GiB | peak RSS, MiB |\n|---|---|---|---|---|---|\n");
        comparisons.forEach((what, comparison) -> {
            List<Column> columns = comparison.columns();
            Column last = columns.get(columns.size() - 1);
            for (Column column : columns) {
                text.append(String.join(
                                " | ",
                                "| " + what,
                                column.name(),
                                column.seconds()
                                        .mapped(seconds -> bytes / 1e6 / seconds)
                                        .shown(0),
                                column.isOurs() && !last.isOurs()
                                        ? last.ratio(column).shown(2)
                                        : "-",
                                column.cpu()
                                        .mapped(cpu -> cpu * TestFile.GIB / bytes)
                                        .shown(2),
                                column.memory()))
                        .append(" |\n");
            }
        });
        text.append("\n| server | login, ms | MLST, ms |\n|---|---|---|\n");
        logins.forEach((who, figures) -> text.append("| ")
                .append(who)
                .append(" | ")
                .append(figures.shown(2))
                .append(" | ")
                .append(commands.getOrDefault(who, new Figures()).shown(3))
                .append(" |\n"));
        comparisons.values().forEach(comparison -> text.append(comparison.remarks()));
        return text.append(remarks).toString();
    }

    private String picture(Map<String, Comparison> comparisons, long bytes) {
        Bars bars = new Bars();
        comparisons.forEach((what, comparison) -> {
            bars.group(what + ", MB/s");
            comparison
                    .columns()
                    .forEach(column -> bars.bar(
                            column.name(), column.seconds().mapped(seconds -> bytes / 1e6 / seconds), column.isOurs()));
        });
        bars.group("login, ms (less is better)");
        logins.forEach((who, figures) -> bars.bar(who, figures, who.startsWith("Longhaul")));
        bars.group("MLST, ms (less is better)");
        commands.forEach((who, figures) -> bars.bar(who, figures, who.startsWith("Longhaul")));
        return bars.svg();
    }
}
