package io.longhaul.gridftp.protocol;

/** Says when all connections of a MODE E transfer have sent their part (GFD.20 section 3.4.2). */
public final class EodCount {
    private long expected;
    private long found;

    /** Takes the header that a connection's part ends with, or an EOF before that. */
    public void header(BlockHeader header) {
        if (header.isEndOfFile()) {
            if (expected != 0) {
                throw new ProtocolException("extended block: expected one EOF, found a second one");
            }
            expected = header.offset();
        }
    }

    /** A connection has sent its part. */
    public void endOfData() {
        found++;
        if (expected != 0 && found > expected) {
            throw new ProtocolException("extended block: expected " + expected + " EODs, found " + found);
        }
    }

    /** Returns whether all parts are there. */
    public boolean isComplete() {
        return expected != 0 && found == expected;
    }

    /** Returns what is still waited for, for messages. */
    @Override
    public String toString() {
        return found + " of " + (expected == 0 ? "an unknown number of" : Long.toString(expected)) + " EODs";
    }
}
