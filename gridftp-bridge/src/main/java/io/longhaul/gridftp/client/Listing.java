package io.longhaul.gridftp.client;

import io.longhaul.gridftp.protocol.Fact;
import io.longhaul.gridftp.protocol.FactLine;
import io.longhaul.gridftp.protocol.ProtocolException;
import io.longhaul.gridftp.protocol.Timestamps;
import io.longhaul.gridftp.spi.BackendException;
import io.longhaul.gridftp.spi.BackendException.Code;
import io.longhaul.gridftp.spi.Entry;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Lines that tell of files, for machines (RFC 3659 section 7). */
public final class Listing {
    private static final int MOST_BYTES = 256 * 1024 * 1024;

    private static final int PERMISSIONS = 0777;
    private static final int OCTAL = 8;
    private static final int DECIMAL = 10;

    private Listing() {}

    /**
     * Returns the lines that a command brings over a data connection; may wait. A server that says that it got none is asked once
     * more: under TLS some do so behind a transfer, and to ask again changes nothing.
     */
    public static List<String> lines(String what, Session session, String... commands) {
        try {
            return brought(what, session, commands);
        } catch (BackendException e) {
            if (e.code() != Code.UNAVAILABLE || e.isAway() || !session.isReady()) {
                throw e;
            }
            return brought(what, session, commands);
        }
    }

    private static List<String> brought(String what, Session session, String... commands) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        Duration limit =
                session.config().limits().stall().plus(session.config().limits().reply());
        try (Download download = Download.begin(what, session, commands)) {
            Optional<ByteBuf> next = Waiting.on(download.next(), limit, what);
            while (next.isPresent()) {
                ByteBuf bytes = next.get();
                try {
                    bytes.readBytes(all, bytes.readableBytes());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                } finally {
                    bytes.release();
                }
                if (all.size() > MOST_BYTES) {
                    throw new BackendException(
                            Code.FAILED, what + ": expected a listing of at most " + MOST_BYTES + " bytes, found more");
                }
                next = Waiting.on(download.next(), limit, what);
            }
            if (download.isTorn()) {
                throw new BackendException(
                        Code.FAILED,
                        what + ": the listing may have been cut: its connection broke, or ended without the end of TLS"
                                + " (close_notify)");
            }
        }
        return split(all.toString(StandardCharsets.UTF_8));
    }

    /** Returns the lines of a text but for empty ones; each ends with a LF and the CRs before it. A CR alone is part of a name. */
    static List<String> split(String text) {
        List<String> lines = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int next = text.indexOf('\n', at);
            int end = next < 0 ? text.length() : next;
            while (next >= 0 && end > at && text.charAt(end - 1) == '\r') {
                end--;
            }
            if (end > at) {
                lines.add(text.substring(at, end));
            }
            at = next < 0 ? text.length() : next + 1;
        }
        return lines;
    }

    /**
     * Returns what lines tell of. One that tells of nothing goes on with the name before it, which has a line end in it;
     * throws {@link ProtocolException} when there is none.
     */
    public static List<FactLine> facts(List<String> lines) {
        List<FactLine> told = new ArrayList<>();
        for (String line : lines) {
            if (told.isEmpty() || FactLine.hasFacts(line)) {
                told.add(FactLine.parse(line));
            } else {
                FactLine before = told.remove(told.size() - 1);
                told.add(new FactLine(before.facts(), before.name() + '\n' + line));
            }
        }
        return told;
    }

    /** What a line says of an entry. */
    public enum Kind {
        /** A file or directory in it. */
        ENTRY,
        /** The directory itself, or the one above. */
        SELF,
        /** A link, of which it does not say what it points to. */
        LINK
    }

    /** Returns what kind of thing a line tells of. */
    public static Kind kind(FactLine line) {
        String type = line.facts().getOrDefault(Fact.TYPE, "file").toLowerCase(Locale.ROOT);
        if (type.equals("cdir")
                || type.equals("pdir")
                || line.name().equals(".")
                || line.name().equals("..")) {
            return Kind.SELF;
        }
        return type.contains("link") ? Kind.LINK : Kind.ENTRY;
    }

    /** Returns the entry that facts tell of. */
    public static Entry entry(FactLine line, String name) {
        String type = line.facts().getOrDefault(Fact.TYPE, "file").toLowerCase(Locale.ROOT);
        String perm = line.facts().getOrDefault(Fact.PERM, "").toLowerCase(Locale.ROOT);
        Entry.Type kind = switch (type) {
            case "file" -> Entry.Type.FILE;
            case "dir", "cdir", "pdir" -> Entry.Type.DIRECTORY;
            default -> Entry.Type.OTHER;
        };
        boolean writable = perm.isEmpty() || perm.contains(kind == Entry.Type.DIRECTORY ? "c" : "w");
        String size = line.facts().getOrDefault(Fact.SIZE, "0");
        return new Entry(
                name,
                kind,
                isNumber(size, DECIMAL, 1, 18) ? Long.parseLong(size) : 0,
                line.facts().containsKey(Fact.MODIFY)
                        ? Timestamps.parseOrEpoch(line.facts().get(Fact.MODIFY))
                        : Instant.EPOCH,
                writable,
                unix(line));
    }

    private static Optional<Entry.Unix> unix(FactLine line) {
        String mode = line.facts().getOrDefault(Fact.UNIX_MODE, "");
        String unique = line.facts().getOrDefault(Fact.UNIQUE, "");
        Optional<String> target = target(line);
        boolean hasMode = isNumber(mode, OCTAL, 3, 7);
        if (!hasMode && target.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Entry.Unix(
                hasMode ? Integer.parseInt(mode, OCTAL) & PERMISSIONS : PERMISSIONS,
                1,
                line.facts().getOrDefault(Fact.UNIX_OWNER, "?"),
                number(line, Fact.UNIX_UID),
                line.facts().getOrDefault(Fact.UNIX_GROUP, "?"),
                number(line, Fact.UNIX_GID),
                unique,
                target,
                Optional.empty()));
    }

    /** Returns where a link points: a fact of its own, or part of the type ({@code OS.unix=slink:/target}). */
    private static Optional<String> target(FactLine line) {
        Optional<String> told = Optional.ofNullable(line.facts().get(Fact.UNIX_SLINK));
        if (told.isPresent() || kind(line) != Kind.LINK) {
            return told;
        }
        String type = line.facts().getOrDefault(Fact.TYPE, "");
        int colon = type.indexOf(':');
        return Optional.of(colon < 0 || colon == type.length() - 1 ? "?" : type.substring(colon + 1));
    }

    private static int number(FactLine line, Fact fact) {
        String text = line.facts().getOrDefault(fact, "0");
        return isNumber(text, DECIMAL, 1, 9) ? Integer.parseInt(text) : 0;
    }

    private static boolean isNumber(String text, int radix, int least, int most) {
        if (text.length() < least || text.length() > most) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) >= '0' + radix) {
                return false;
            }
        }
        return true;
    }
}
