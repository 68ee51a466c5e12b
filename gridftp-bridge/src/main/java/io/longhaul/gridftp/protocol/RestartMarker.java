package io.longhaul.gridftp.protocol;

import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.range.ByteRanges;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The argument of REST: what the receiver has already.
 *
 * <pre>
 *  REST 500000          everything before that byte (RFC 3659)
 *  REST 0-100,300-400   these ranges, half-open (GFD.20)
 * </pre>
 *
 * @param present ranges, ascending and disjoint
 * @param isPosition whether it was a single number
 */
public record RestartMarker(List<ByteRange> present, boolean isPosition) {
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");
    private static final int MOST_RANGES = 4096;

    /** Keeps a copy. */
    public RestartMarker {
        present = List.copyOf(present);
    }

    /** Returns the marker of a transfer from the start. */
    public static RestartMarker none() {
        return new RestartMarker(List.of(), true);
    }

    /** Reads the argument; throws {@link ProtocolException}. */
    public static RestartMarker parse(String text) {
        String argument = text.strip();
        if (NUMBER.matcher(argument).matches()) {
            long position = Long.parseLong(argument);
            return position == 0 ? none() : new RestartMarker(List.of(new ByteRange(0, position)), true);
        }
        List<ByteRange> ranges = new ArrayList<>();
        for (String part : argument.split(",", -1)) {
            String[] ends = part.strip().split("-", -1);
            if (ends.length != 2
                    || !NUMBER.matcher(ends[0]).matches()
                    || !NUMBER.matcher(ends[1]).matches()
                    || Long.parseLong(ends[1]) < Long.parseLong(ends[0])
                    || ranges.size() == MOST_RANGES) {
                throw new ProtocolException("restart marker: expected a position, or START-END,... with ends not"
                        + " before starts and at most " + MOST_RANGES + " ranges");
            }
            ranges.add(new ByteRange(Long.parseLong(ends[0]), Long.parseLong(ends[1])));
        }
        return new RestartMarker(ByteRanges.of(ranges).list(), false);
    }

    public boolean isNone() {
        return present.isEmpty();
    }

    /** Returns the first byte behind the first range, when that starts at 0: where a stream goes on. */
    public long position() {
        return present.isEmpty() || present.get(0).start() > 0
                ? 0
                : present.get(0).end();
    }
}
