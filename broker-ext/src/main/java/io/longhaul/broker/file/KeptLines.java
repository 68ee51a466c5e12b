package io.longhaul.broker.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A short text in a {@link KeptFile}.
 *
 * <pre>
 *  longhaul-TITLE 1        kind and version
 *  ...                     lines
 *  crc 1a2b3c4d            CRC-32C of everything before this line
 * </pre>
 *
 * One writer at a time.
 */
public final class KeptLines {
    private static final String CRC = "crc ";
    private final Path file;
    private final String title;

    public KeptLines(Path file, String title) {
        this.file = file;
        this.title = "longhaul-" + title + " 1";
    }

    /** Returns the lines; empty when there is no file. Throws when it is damaged or of another kind or version. */
    public List<String> read() throws IOException {
        if (!Files.exists(file)) {
            return List.of();
        }
        List<String> all = Files.readAllLines(file, StandardCharsets.UTF_8);
        int last = all.size() - 1;
        if (last < 1 || !all.get(0).equals(title)) {
            throw new IOException(file + ": expected a file that begins with " + title + ", found "
                    + (all.isEmpty() ? "nothing" : all.get(0)));
        }
        String expected = CRC + crc(all.subList(0, last));
        if (!all.get(last).equals(expected)) {
            throw new IOException(file + ": expected " + expected + ", found " + all.get(last));
        }
        return List.copyOf(all.subList(1, last));
    }

    /** Puts lines in the place of those that are there; they are on disk when it returns. */
    public void write(List<String> lines) throws IOException {
        List<String> all = new ArrayList<>(lines.size() + 2);
        all.add(title);
        all.addAll(lines);
        all.add(CRC + crc(all));
        KeptFile.write(file, text(all));
    }

    private static byte[] text(List<String> lines) {
        return (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private static String crc(List<String> lines) {
        CRC32C crc = new CRC32C();
        crc.update(text(lines));
        return String.format("%08x", crc.getValue());
    }
}
