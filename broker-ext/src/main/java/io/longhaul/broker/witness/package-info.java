/**
 * The third that decides which of a pair of brokers lives: what it keeps, how it is asked, what is asked where there is
 * none.
 *
 * <p>Protocol: {@code docs/protocol/witness.md}. Knows parallel TCP and buffers, nothing of Artemis. Callers of {@link
 * io.longhaul.broker.witness.Arbiter} may block; listeners of sessions run on event loops and do not.
 */
@NullMarked
package io.longhaul.broker.witness;

import org.jspecify.annotations.NullMarked;
