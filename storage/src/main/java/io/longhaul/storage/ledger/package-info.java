/**
 * The ledger in an embedded H2 database; the only package that knows {@code java.sql} and H2. Internal: its door is
 * {@link io.longhaul.storage.LedgerProvider}.
 *
 * <p>One thread writes (group commit); readers use connections of their own.
 */
@NullMarked
package io.longhaul.storage.ledger;

import org.jspecify.annotations.NullMarked;
