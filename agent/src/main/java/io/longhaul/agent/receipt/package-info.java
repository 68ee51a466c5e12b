/**
 * Signed receipts: the agent's key, its chain of receipts given, what the signatures of receipts taken are worth, and
 * the audit of both.
 *
 * <p>Depends on storage and wire. Everything here may be used from any thread.
 */
@NullMarked
package io.longhaul.agent.receipt;

import org.jspecify.annotations.NullMarked;
