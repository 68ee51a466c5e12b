/**
 * Measures a link: test bytes over a session, counted by the end that receives them.
 *
 * <p>Built on {@code net} and the API like any application. A test belongs to the event loop of its session;
 * {@link io.longhaul.ptcp.perf.RecordDecoder} shows the bytes.
 */
@NullMarked
package io.longhaul.ptcp.perf;

import org.jspecify.annotations.NullMarked;
