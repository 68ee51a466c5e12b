/** The link of an agent against a real broker in the same process. */
@NullMarked
package io.longhaul.it.link;

import org.jspecify.annotations.NullMarked;
