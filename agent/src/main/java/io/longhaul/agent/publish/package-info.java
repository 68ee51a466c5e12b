/**
 * Publishing: cuts a source into pieces, offers them to the link, keeps the ledger, waits for receipts.
 *
 * <p>Entered through {@link io.longhaul.agent.publish.Publisher}; {@link io.longhaul.agent.publish.OutgoingPieces}
 * serves repairs. Depends on the link seam, the ledger and spool, and the wire's frames, on no broker. A publication
 * that goes out has one thread that reads ahead and one that offers; those beyond a small number wait their turn.
 * Outcomes of offers arrive on the link's threads and only touch counters and queues.
 */
@NullMarked
package io.longhaul.agent.publish;

import org.jspecify.annotations.NullMarked;
