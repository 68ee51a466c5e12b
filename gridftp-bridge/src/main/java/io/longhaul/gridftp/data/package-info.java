/**
 * Data connections of a session and the transfers over them. Everything of one session runs on its control channel's
 * event loop, and nothing here blocks. Knows {@code protocol}, {@code spi}, {@code security} and the root package.
 */
@NullMarked
package io.longhaul.gridftp.data;

import org.jspecify.annotations.NullMarked;
