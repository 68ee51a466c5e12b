/**
 * The holder's side of repair: grants leases, offers and serves pieces of transfers that this agent has.
 *
 * <p>Runs on the pumps of the flows that bring the requests, and serves pieces on one thread of its own.
 */
@NullMarked
package io.longhaul.agent.repair;

import org.jspecify.annotations.NullMarked;
