/**
 * What a broker knows of the network around it: who wants what, which links carry files. Pure; no threads of its own.
 *
 * <p>Knows only {@code io.longhaul.wire}.
 */
@NullMarked
package io.longhaul.broker.network;

import org.jspecify.annotations.NullMarked;
