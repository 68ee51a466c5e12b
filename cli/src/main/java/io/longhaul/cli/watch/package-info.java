/**
 * Finds new files in a directory once they are stable, and remembers which were published.
 *
 * <p>Depends on storage's disk. Confined to one thread of the command {@code agent}, which scans.
 */
@NullMarked
package io.longhaul.cli.watch;

import org.jspecify.annotations.NullMarked;
