package io.longhaul.broker.witness;

import io.longhaul.broker.file.KeptLines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a witness remembers of each pair, durably: the identity of what the pair keeps, its term, and the account that it
 * asks with. One thread at a time.
 *
 * <p>A line of its file is {@code PAIR NODE TERM}, and with an account {@code PAIR NODE TERM ACCOUNT}.
 */
public final class WitnessBook {
    private static final int FIELDS = 3;
    private final KeptLines lines;
    private final Map<String, Entry> entries;

    /**
     * One pair.
     *
     * @param account empty for none
     */
    record Entry(String node, long term, String account) {
        private String line(String pair) {
            return pair + " " + node + " " + term + (account.isEmpty() ? "" : " " + account);
        }
    }

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
            if (fields.length != FIELDS && fields.length != FIELDS + 1) {
                throw new IOException(file + ": expected PAIR NODE TERM ACCOUNT, found " + line);
            }
            String account = fields.length > FIELDS ? fields[FIELDS] : "";
            entries.put(fields[0], new Entry(fields[1], Long.parseLong(fields[2]), account));
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
                .map(each -> each.getValue().line(each.getKey()))
                .toList();
        lines.write(text);
        entries.put(pair, entry);
    }
}
