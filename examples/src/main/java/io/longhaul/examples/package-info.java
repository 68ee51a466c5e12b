/**
 * Small programs that use the SDK; each has its command line in its comment.
 *
 * <p>Depends on the public API only: {@code io.longhaul.agent} and the records of {@code io.longhaul.wire} in it.
 */
@NullMarked
package io.longhaul.examples;

import org.jspecify.annotations.NullMarked;
