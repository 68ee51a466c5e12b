/**
 * The SDK of Longhaul: open an {@link io.longhaul.agent.Agent}, publish files to topics, subscribe to topics.
 *
 * <p>This package is the public API; everything below it may change. Blocking calls are named as such; listeners are
 * called on the agent's threads. A {@code null} that is given to any of it is a {@link java.lang.NullPointerException} with
 * the argument's name, at once.
 */
@NullMarked
package io.longhaul.agent;

import org.jspecify.annotations.NullMarked;
