/** Tests of what an agent answers over its control socket: no socket, no network. */
@NullMarked
package io.longhaul.agent.control;

import org.jspecify.annotations.NullMarked;
