/** The comparisons that {@code it/bench/run} makes, a class for each; each writes a table and a picture when it is done. */
package io.longhaul.it.bench.row;
