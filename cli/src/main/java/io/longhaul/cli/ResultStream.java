package io.longhaul.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;

/**
 * Standard output: a reader that has left, as {@code head} does, is no failure; a full disk is.
 *
 * <p>Java says both in the system's words only.
 */
final class ResultStream extends FilterOutputStream {
    private static final String READER_LEFT = "broken pipe";

    ResultStream(OutputStream out) {
        super(out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            if (!String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT).contains(READER_LEFT)) {
                throw e;
            }
        }
    }
}
