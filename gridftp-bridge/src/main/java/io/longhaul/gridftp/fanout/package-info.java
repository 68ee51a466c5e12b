/**
 * Writing one file at several places at a time. Runs on its callers' threads and on those of the back ends. Knows {@code
 * spi}.
 */
@NullMarked
package io.longhaul.gridftp.fanout;

import org.jspecify.annotations.NullMarked;
