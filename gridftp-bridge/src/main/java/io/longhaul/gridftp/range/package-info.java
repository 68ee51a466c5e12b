/**
 * Ranges of bytes and sets of them, and which files' bytes are in doubt; knows only the JDK. Not thread-safe but where it says
 * so: a set belongs to one thread at a time.
 */
@NullMarked
package io.longhaul.gridftp.range;

import org.jspecify.annotations.NullMarked;
