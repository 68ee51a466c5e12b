/**
 * Questions to the agent that has a data directory open, over a Unix domain socket in it; {@code docs/operations.md}
 * describes the lines.
 */
@NullMarked
package io.longhaul.agent.control;

import org.jspecify.annotations.NullMarked;
