/** Ranges of bytes and sets of them; knows only the JDK. Not thread-safe: a set belongs to one thread at a time. */
@NullMarked
package io.longhaul.gridftp.range;

import org.jspecify.annotations.NullMarked;
