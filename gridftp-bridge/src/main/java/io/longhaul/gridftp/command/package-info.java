/**
 * The commands, one class each, and the table that names them. Knows {@code session} and what is below it. Runs on the
 * session's event loop.
 */
@NullMarked
package io.longhaul.gridftp.command;

import org.jspecify.annotations.NullMarked;
