/**
 * What the command line shows: results on standard output, progress and notices on standard error.
 *
 * <p>Depends on the SDK's snapshots only. {@link io.longhaul.cli.terminal.Console} may be used from any thread and is
 * the only one to write; everything else here is confined to it or pure.
 */
@NullMarked
package io.longhaul.cli.terminal;

import org.jspecify.annotations.NullMarked;
