/**
 * What an agent keeps: the ledger in H2 and the spool of preallocated files, behind {@link io.longhaul.storage.Store}.
 *
 * <p>Knows no other module of Longhaul. H2 and {@code java.sql} stay inside {@code ledger}.
 */
@NullMarked
package io.longhaul.storage;

import org.jspecify.annotations.NullMarked;
