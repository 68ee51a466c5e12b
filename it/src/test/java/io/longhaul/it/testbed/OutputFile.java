package io.longhaul.it.testbed;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What a process prints on one stream: in a file, and as lines with the moment they came. May be read by any thread. */
final class OutputFile {
    private final Path file;
    private final List<OutputLine> lines = new CopyOnWriteArrayList<>();
    private final Thread reader;

    private OutputFile(Path file, InputStream stream) {
        this.file = file;
        this.reader = new Thread(() -> read(stream), "it-output-" + file.getFileName());
        reader.setDaemon(true);
    }

    static OutputFile of(Path file, InputStream stream) {
        OutputFile output = new OutputFile(file, stream);
        output.reader.start();
        return output;
    }

    private void read(InputStream stream) {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
                Writer out = Files.newBufferedWriter(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(new OutputLine(System.nanoTime(), line));
                out.write(line);
                out.write('\n');
                out.flush();
            }
        } catch (IOException e) {
            lines.add(new OutputLine(System.nanoTime(), "(output ended: " + e.getMessage() + ")"));
        }
    }

    List<OutputLine> lines() {
        return lines;
    }

    /** Waits for the end of the stream, which may come a little after the end of the process. */
    void join() throws InterruptedException {
        reader.join(10_000);
    }

    /** Returns the last lines, for messages. */
    String tail(int count) {
        StringBuilder text = new StringBuilder(file.toString());
        List<OutputLine> last = lines.subList(Math.max(0, lines.size() - count), lines.size());
        last.forEach(line -> text.append("\n    ").append(line.text()));
        return text.toString();
    }
}
