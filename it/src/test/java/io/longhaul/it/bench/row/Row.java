package io.longhaul.it.bench.row;

/** One comparison. */
interface Row {

    /** Returns its name on the command line, which its table and picture have too. */
    String name();

    /** Measures, and keeps its results after every round. */
    void measure(Setting setting) throws Exception;
}
