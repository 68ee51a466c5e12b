/**
 * The {@link io.longhaul.agent.link.Link} over Apache ActiveMQ Artemis: durable messages on core-protocol sessions.
 *
 * <p>The only package of the agent that knows Artemis. Reconnecting is done here, not by the Artemis client: an outage
 * ends one {@code BrokerConnection} and begins the next, so that what was not acknowledged is known exactly.
 */
@NullMarked
package io.longhaul.agent.artemis;

import org.jspecify.annotations.NullMarked;
