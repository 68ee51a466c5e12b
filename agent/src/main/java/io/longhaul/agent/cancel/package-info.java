/** Giving transfers up, whichever way they go. */
@NullMarked
package io.longhaul.agent.cancel;

import org.jspecify.annotations.NullMarked;
