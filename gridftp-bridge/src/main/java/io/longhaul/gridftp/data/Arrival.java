package io.longhaul.gridftp.data;

import io.longhaul.gridftp.range.ByteRange;
import io.longhaul.gridftp.spi.Sink;
import java.util.List;

/**
 * What the front knows of a file that comes in.
 *
 * @param sink where its bytes go
 * @param offset added to the positions that the client names
 * @param present what the client does not send since it takes it for granted, as the client counts
 * @param expectedBytes how many the client said will come; 0 for unknown
 * @param mayBeFewer whether a client that stays when it has sent fewer may mean that these are all
 * @param isText whether line ends are to become the system's
 * @param mayResume whether a cut is worth keeping what has come
 */
public record Arrival(
        Sink sink,
        long offset,
        List<ByteRange> present,
        long expectedBytes,
        boolean mayBeFewer,
        boolean isText,
        boolean mayResume) {}
