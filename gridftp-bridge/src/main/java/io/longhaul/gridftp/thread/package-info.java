/** How things share threads. Knows nothing of the bridge. */
@NullMarked
package io.longhaul.gridftp.thread;

import org.jspecify.annotations.NullMarked;
