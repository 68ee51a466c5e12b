/** Tests of what serves others: a real store, no network. */
@NullMarked
package io.longhaul.agent.repair;

import org.jspecify.annotations.NullMarked;
