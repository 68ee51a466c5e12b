/**
 * What lies on this machine between two runs: data directories, who owns them now, what their ledgers know.
 *
 * <p>Depends on storage. Nothing here is kept open between calls; confined to the thread of the command.
 */
@NullMarked
package io.longhaul.cli.state;

import org.jspecify.annotations.NullMarked;
