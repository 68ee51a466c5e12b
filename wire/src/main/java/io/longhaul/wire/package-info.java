/**
 * Names and codecs that agents and brokers share: frames, piece headers, manifests, receipts.
 *
 * <p>Depends on the JDK and Jackson only. Everything here is immutable or pure and may be used from any thread.
 */
@NullMarked
package io.longhaul.wire;

import org.jspecify.annotations.NullMarked;
