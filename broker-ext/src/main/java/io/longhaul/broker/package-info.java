/**
 * A broker of the network: launches an Artemis server set up for pieces, with limits and rights.
 *
 * <p>The entry is {@link io.longhaul.broker.Broker}. Knows {@code wire}; Artemis types stay in
 * {@code io.longhaul.broker.artemis}. A broker may be used from any thread.
 */
@NullMarked
package io.longhaul.broker;

import org.jspecify.annotations.NullMarked;
