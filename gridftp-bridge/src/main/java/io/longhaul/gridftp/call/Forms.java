package io.longhaul.gridftp.call;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.Entry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What calls and answers have in common: ranges and entries. Pure. */
final class Forms {
    private Forms() {}

    static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static void putRange(ObjectNode object, ByteRange range) {
        object.put("start", range.start()).put("end", range.end());
    }

    static ByteRange range(Fields fields) {
        long start = fields.count("start");
        long end = fields.count("end");
        if (end < start) {
            throw new CallException("range: expected start <= end, found " + start + "-" + end);
        }
        return new ByteRange(start, end);
    }

    static void putRanges(ObjectNode object, String name, Collection<ByteRange> ranges) {
        ArrayNode array = object.putArray(name);
        ranges.forEach(range -> putRange(array.addObject(), range));
    }

    static List<ByteRange> ranges(Fields fields, String name) {
        List<ByteRange> ranges = new ArrayList<>();
        fields.objects(name).forEach(range -> ranges.add(range(range)));
        return ranges;
    }

    static void putEntry(ObjectNode object, Entry entry) {
        object.put("name", entry.name())
                .put("type", word(entry.type()))
                .put("length", entry.length())
                .put("modified", entry.modified().toString())
                .put("writable", entry.writable());
        entry.unix().ifPresent(unix -> {
            ObjectNode inner = object.putObject("unix")
                    .put("mode", unix.mode())
                    .put("links", unix.links())
                    .put("owner", unix.owner())
                    .put("uid", unix.uid())
                    .put("group", unix.group())
                    .put("gid", unix.gid())
                    .put("unique", unix.unique());
            unix.linkTarget().ifPresent(target -> inner.put("link", target));
        });
    }

    static Entry entry(Fields fields) {
        String name = fields.text("name");
        if (name.indexOf('/') >= 0 || name.indexOf('\0') >= 0 || name.equals(".") || name.equals("..")) {
            throw new CallException("entry: expected a name of one part, found '" + name + "'");
        }
        return new Entry(
                name,
                fields.oneOf("type", Entry.Type.values(), Forms::word),
                fields.count("length"),
                fields.time("modified"),
                fields.flag("writable"),
                fields.object("unix").map(Forms::unix));
    }

    private static Entry.Unix unix(Fields fields) {
        return new Entry.Unix(
                fields.small("mode"),
                fields.small("links"),
                fields.text("owner"),
                fields.small("uid"),
                fields.text("group"),
                fields.small("gid"),
                fields.text("unique"),
                fields.has("link") ? Optional.of(fields.text("link")) : Optional.empty());
    }
}
