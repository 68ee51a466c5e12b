/** How things share threads, and what becomes of what they throw. Knows nothing of the bridge. */
@NullMarked
package io.longhaul.gridftp.thread;

import org.jspecify.annotations.NullMarked;
