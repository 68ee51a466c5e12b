/**
 * Small files of a broker that are whole or not there, and names that last.
 *
 * <p>Knows nothing of the module. One writer at a time for a file.
 */
@NullMarked
package io.longhaul.broker.file;

import org.jspecify.annotations.NullMarked;
