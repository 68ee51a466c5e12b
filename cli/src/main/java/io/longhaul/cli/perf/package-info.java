/**
 * What {@code longhaul ptcp-perf} prints: lines of intervals and of results.
 *
 * <p>Depends on {@code terminal} and on the tests of {@code io.longhaul.ptcp.perf}. May be used from any thread.
 */
@NullMarked
package io.longhaul.cli.perf;

import org.jspecify.annotations.NullMarked;
