/** Several back ends as one tree of names. Runs on its callers' threads. Knows {@code spi} and {@code range}. */
@NullMarked
package io.longhaul.gridftp.mount;

import org.jspecify.annotations.NullMarked;
