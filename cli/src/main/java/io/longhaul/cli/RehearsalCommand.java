package io.longhaul.cli;

import io.longhaul.cli.terminal.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * {@code longhaul rehearsal}: broker, subscribe and publish in this process, with a file and a tree of several packs.
 *
 * <p>The archive of classes that the script {@code longhaul} has made of it serves each of these commands.
 */
@Command(
        name = "rehearsal",
        hidden = true,
        header = "Run broker, subscribe and publish in one process, for the classes that they load.",
        description = "The script longhaul makes its archive of classes of it, once for each build.",
        footer = {"", "Example:", "  longhaul rehearsal /tmp/empty"})
final class RehearsalCommand implements Callable<Integer> {
    private static final String TOPIC = "rehearsal";
    private static final Pattern PORT = Pattern.compile("\"port\":(\\d+)");

    /** So many that the file system is synced for all of them. */
    private static final int SMALL_FILES = 1500;

    private static final int SMALL_BYTES = 2048;
    private static final int LARGE_BYTES = 3_000_000;
    private static final int FOLDERS = 10;

    private final Environment environment;

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Parameters(paramLabel = "DIR", description = "An empty directory.")
    private Path directory = Path.of("");

    RehearsalCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        Console console = common.console(environment);
        Path file = write(directory.resolve("file"), LARGE_BYTES);
        Path tree = directory.resolve("tree");
        write(tree.resolve("large"), LARGE_BYTES);
        for (int i = 0; i < SMALL_FILES; i++) {
            write(tree.resolve("d" + i % FOLDERS).resolve("f" + i), SMALL_BYTES);
        }
        String data = directory.resolve("broker").toString();
        Part broker = start("broker", "--name", "b", "--listen", "127.0.0.1:0", "--data", data);
        Matcher port = PORT.matcher(broker.firstLine());
        if (!port.find()) {
            return broker.end();
        }
        String url = "127.0.0.1:" + port.group(1);
        Path into = directory.resolve("into");
        Part subscriber =
                start("subscribe", TOPIC, "--name", "s", "--into", into.toString(), "--broker", url, "--count", "2");
        subscriber.firstLine();
        for (Path source : List.of(file, tree)) {
            int code = start("publish", source.toString(), "--topic", TOPIC, "--broker", url, "--wait", "1")
                    .exit()
                    .join();
            if (code != ExitCodes.OK) {
                subscriber.end();
                broker.end();
                return code;
            }
        }
        console.say("longhaul: rehearsed in " + directory);
        subscriber.exit().join();
        return broker.end();
    }

    /** A command that runs beside this one. */
    private record Part(StopSignal stop, CompletableFuture<String> line, CompletableFuture<Integer> exit) {
        /** Waits until it has printed a line, or has ended without one. */
        String firstLine() {
            return line.applyToEither(exit.thenApply(code -> ""), said -> said).join();
        }

        /** Has it end; returns its code. */
        int end() {
            stop.request();
            return exit.join();
        }
    }

    private Part start(String... words) {
        List<String> arguments = new ArrayList<>(List.of(words));
        arguments.add("--json");
        if (!arguments.get(0).equals("broker")) {
            arguments.addAll(List.of("--timeout", "60s"));
        }
        StopSignal stop = new StopSignal();
        CompletableFuture<String> line = new CompletableFuture<>();
        Environment own = new Environment(
                new Environment.Streams(
                        InputStream.nullInputStream(),
                        new PrintStream(firstLine(line), false, StandardCharsets.UTF_8),
                        environment.streams().err()),
                Map.of("HOME", directory.toString()),
                environment.nanoTime(),
                environment.screen(),
                environment.secret(),
                stop,
                environment.threads());
        CompletableFuture<Integer> exit = CompletableFuture.supplyAsync(
                () -> new Invocation(own, arguments.toArray(String[]::new)).run(), environment.threads());
        return new Part(stop, line, exit);
    }

    private static OutputStream firstLine(CompletableFuture<String> line) {
        StringBuilder text = new StringBuilder();
        return new OutputStream() {
            @Override
            public void write(int each) {
                if (each == '\n') {
                    line.complete(text.toString());
                } else if (!line.isDone()) {
                    text.append((char) each);
                }
            }
        };
    }

    /** Writes a file of bytes that are not all the same. */
    private static Path write(Path path, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 31 + i / 7);
        }
        try {
            Files.createDirectories(path.getParent());
            return Files.write(path, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
