package io.longhaul.broker.witness;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a witness remembers of each pair, durably: the identity of what the pair keeps, and its term. One thread at a time.
 *
 * <p>A line of its file is {@code PAIR NODE TERM}.
 */
public final class WitnessBook {
    private static final int FIELDS = 3;
    private final KeptLines lines;
    private final Map<String, Entry> entries;

    /** One pair. */
    record Entry(String node, long term) {}

    private WitnessBook(KeptLines lines, Map<String, Entry> entries) {
        this.lines = lines;
        this.entries = entries;
    }

    /** Reads the book of a data directory; an empty one leaves nothing there. */
    public static WitnessBook open(Path data) throws IOException {
        Path file = data.resolve("witness");
        KeptLines lines = new KeptLines(file, "witness");
        Map<String, Entry> entries = new TreeMap<>();
        for (String line : lines.read()) {
            String[] fields = line.split(" ", -1);
            if (fields.length != FIELDS) {
                throw new IOException(file + ": expected PAIR NODE TERM, found " + line);
            }
            entries.put(fields[0], new Entry(fields[1], Long.parseLong(fields[2])));
        }
        return new WitnessBook(lines, entries);
    }

    Optional<Entry> entry(String pair) {
        return Optional.ofNullable(entries.get(pair));
    }

    int pairs() {
        return entries.size();
    }

    /** On disk when it returns. */
    void put(String pair, Entry entry) throws IOException {
        Map<String, Entry> next = new TreeMap<>(entries);
        next.put(pair, entry);
        List<String> text = next.entrySet().stream()
                .map(each -> each.getKey() + " " + each.getValue().node() + " "
                        + each.getValue().term())
                .toList();
        lines.write(text);
        entries.put(pair, entry);
    }
}
