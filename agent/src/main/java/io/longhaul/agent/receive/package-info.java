/**
 * The subscriber: takes pieces from a flow, makes them durable, puts whole files in place and says so by receipt.
 *
 * <p>{@link io.longhaul.agent.receive.Receiver} serves one subscription; {@link io.longhaul.agent.receive.DeliveredPieces}
 * and {@link io.longhaul.agent.receive.Holdings} give back what it received for repairs. Depends on storage, wire and
 * the link seam. One thread of a subscription takes frames and writes bytes, one makes them durable, one finishes
 * transfers, one calls the listener, one offers frames; state belongs to one of them at a time.
 */
@NullMarked
package io.longhaul.agent.receive;

import org.jspecify.annotations.NullMarked;
