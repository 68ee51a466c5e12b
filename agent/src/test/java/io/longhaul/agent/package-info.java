/** Tests of the agent's own package. */
@NullMarked
package io.longhaul.agent;

import org.jspecify.annotations.NullMarked;
