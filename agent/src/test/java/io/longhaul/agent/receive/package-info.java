/** Tests of the subscriber: a network and a ledger in memory, a real disk with faults, no threads, no clock. */
@NullMarked
package io.longhaul.agent.receive;

import org.jspecify.annotations.NullMarked;
