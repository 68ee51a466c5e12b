package io.longhaul.gridftp.call;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.longhaul.gridftp.spi.Entry;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Entries to JSON and back, one field after the other: a directory may have hundreds of thousands. Fields that nobody knows are a
 * newer version's; one that comes twice breaks the rules. Pure.
 */
final class EntryCodec {
    private static final String WHAT = "answer.entry";

    /** The fields of an entry, the last of which may be missing. */
    private static final List<String> ENTRY = List.of("name", "type", "length", "modified", "writable", "unix");

    /** The same of what only Unix systems know. */
    private static final List<String> UNIX =
            List.of("mode", "links", "owner", "uid", "group", "gid", "unique", "link", "changed");

    private static final int OPTIONAL_OF_ENTRY = 1;
    private static final int OPTIONAL_OF_UNIX = 2;

    private static final Map<String, Entry.Type> TYPES =
            Arrays.stream(Entry.Type.values()).collect(Collectors.toMap(Forms::word, Function.identity()));

    private EntryCodec() {}

    static void write(JsonGenerator out, Entry entry) throws IOException {
        out.writeStartObject();
        out.writeStringField("name", entry.name());
        out.writeStringField("type", Forms.word(entry.type()));
        out.writeNumberField("length", entry.length());
        out.writeStringField("modified", entry.modified().toString());
        out.writeBooleanField("writable", entry.writable());
        if (entry.unix().isPresent()) {
            out.writeFieldName("unix");
            write(out, entry.unix().get());
        }
        out.writeEndObject();
    }

    private static void write(JsonGenerator out, Entry.Unix unix) throws IOException {
        out.writeStartObject();
        out.writeNumberField("mode", unix.mode());
        out.writeNumberField("links", unix.links());
        out.writeStringField("owner", unix.owner());
        out.writeNumberField("uid", unix.uid());
        out.writeStringField("group", unix.group());
        out.writeNumberField("gid", unix.gid());
        out.writeStringField("unique", unix.unique());
        if (unix.linkTarget().isPresent()) {
            out.writeStringField("link", unix.linkTarget().get());
        }
        if (unix.changed().isPresent()) {
            out.writeStringField("changed", unix.changed().get().toString());
        }
        out.writeEndObject();
    }

    /** Reads the entry that begins with the parser's token; throws {@link CallException} when it breaks any rule. */
    static Entry read(JsonParser in) throws IOException {
        Json.expect(in, WHAT, "an object", JsonToken.START_OBJECT);
        int seen = 0;
        String name = "";
        Entry.Type type = Entry.Type.OTHER;
        long length = 0;
        Instant modified = Instant.EPOCH;
        boolean writable = false;
        Optional<Entry.Unix> unix = Optional.empty();
        for (String field = in.nextFieldName(); field != null; field = in.nextFieldName()) {
            in.nextToken();
            seen = seen(seen, ENTRY, field);
            switch (field) {
                case "name" -> name = name(text(in));
                case "type" -> type = type(text(in));
                case "length" -> length = length(in);
                case "modified" -> modified = time(text(in));
                case "writable" -> writable = flag(in);
                case "unix" -> unix = Optional.of(unix(in));
                default -> in.skipChildren();
            }
        }
        expectAll(seen, ENTRY, OPTIONAL_OF_ENTRY);
        return new Entry(name, type, length, modified, writable, unix);
    }

    private static Entry.Unix unix(JsonParser in) throws IOException {
        Json.expect(in, WHAT, "an object", JsonToken.START_OBJECT);
        int seen = 0;
        int mode = 0;
        int links = 0;
        String owner = "";
        int uid = 0;
        String group = "";
        int gid = 0;
        String unique = "";
        Optional<String> link = Optional.empty();
        Optional<Instant> changed = Optional.empty();
        for (String field = in.nextFieldName(); field != null; field = in.nextFieldName()) {
            in.nextToken();
            seen = seen(seen, UNIX, field);
            switch (field) {
                case "mode" -> mode = small(in);
                case "links" -> links = small(in);
                case "owner" -> owner = text(in);
                case "uid" -> uid = small(in);
                case "group" -> group = text(in);
                case "gid" -> gid = small(in);
                case "unique" -> unique = text(in);
                case "link" -> link = Optional.of(text(in));
                case "changed" -> changed = Optional.of(time(text(in)));
                default -> in.skipChildren();
            }
        }
        expectAll(seen, UNIX, OPTIONAL_OF_UNIX);
        return new Entry.Unix(mode, links, owner, uid, group, gid, unique, link, changed);
    }

    /** Returns which fields have been seen, one bit for each. */
    private static int seen(int before, List<String> known, String field) {
        int at = known.indexOf(field);
        if (at < 0) {
            return before;
        }
        int bit = 1 << at;
        if ((before & bit) != 0) {
            throw new CallException(WHAT + ", field '" + field + "': expected once, found twice");
        }
        return before | bit;
    }

    private static void expectAll(int seen, List<String> known, int optional) {
        for (int at = 0; at < known.size() - optional; at++) {
            if ((seen & 1 << at) == 0) {
                throw new CallException(WHAT + ", field '" + known.get(at) + "': expected one, found nothing");
            }
        }
    }

    private static String text(JsonParser in) throws IOException {
        Json.expect(in, WHAT, "text", JsonToken.VALUE_STRING);
        return in.getText();
    }

    private static int small(JsonParser in) throws IOException {
        Json.expect(in, WHAT, "a number of 32 bits", JsonToken.VALUE_NUMBER_INT);
        return in.getIntValue();
    }

    private static long length(JsonParser in) throws IOException {
        Json.expect(in, WHAT, "a whole number", JsonToken.VALUE_NUMBER_INT);
        long length = in.getLongValue();
        if (length < 0) {
            throw new CallException(WHAT + ", field 'length': expected a number of at least 0, found " + length);
        }
        return length;
    }

    private static boolean flag(JsonParser in) {
        boolean is = in.currentToken() == JsonToken.VALUE_TRUE;
        if (!is) {
            Json.expect(in, WHAT, "true or false", JsonToken.VALUE_FALSE);
        }
        return is;
    }

    private static String name(String name) {
        if (name.indexOf('/') >= 0 || name.indexOf('\0') >= 0 || name.equals(".") || name.equals("..")) {
            throw new CallException("entry: expected a name of one part, found '" + name + "'");
        }
        return name;
    }

    private static Entry.Type type(String word) {
        Entry.Type type = TYPES.get(word);
        if (type == null) {
            throw new CallException(WHAT + ", field 'type': expected a known word, found " + word);
        }
        return type;
    }

    private static Instant time(String text) {
        try {
            return IsoTime.parse(text);
        } catch (DateTimeException e) {
            throw new CallException(WHAT + ", field 'modified': expected a time, found " + text, e);
        }
    }
}
