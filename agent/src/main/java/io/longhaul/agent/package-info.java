/**
 * The SDK of Longhaul: open an {@link io.longhaul.agent.Agent}, publish files to topics, subscribe to topics.
 *
 * <p>This package is the public API; everything below it may change. Blocking calls are named as such; listeners are
 * called on the agent's threads. A {@code null} that an agent or a request is given is a {@link java.lang.NullPointerException} with
 * the name of what is missing, at once.
 */
@NullMarked
package io.longhaul.agent;

import org.jspecify.annotations.NullMarked;
