package io.longhaul.agent.receive;

/**
 * What all transfers of a subscription that are repaired at a time share: the way by which pieces come. Those that one of
 * them is sent are behind those that another one asked for before, so that silence is told by all of them together, and no
 * more is asked for than one alone would. Receiver thread only.
 */
final class RepairFlow {
    private int expected;
    private boolean hasArrived;
    private long arrivedNs;

    /** So many more pieces are asked for and have not come; fewer when negative. */
    void expect(int more) {
        expected += more;
    }

    /** Returns how many pieces are asked for and have not come. */
    int expected() {
        return expected;
    }

    /** A piece has come. */
    void arrived(long nowNs) {
        hasArrived = true;
        arrivedNs = nowNs;
    }

    /** Returns the later of a time and that when a piece has come last. */
    long latest(long ns) {
        return hasArrived && arrivedNs - ns > 0 ? arrivedNs : ns;
    }
}
