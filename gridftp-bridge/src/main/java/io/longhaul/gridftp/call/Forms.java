package io.longhaul.gridftp.call;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.longhaul.gridftp.range.ByteRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** What calls and answers have in common: words and ranges. Pure. */
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
}
