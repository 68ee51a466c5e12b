/**
 * The back end of a directory of this machine. Blocking calls run on threads of the back end's own. Knows {@code spi},
 * {@code range} and {@code thread}.
 *
 * <p>Nobody leaves the directory: links are followed only as far as they stay in it. Whoever may change the directory by
 * other means at the same moment is trusted.
 */
@NullMarked
package io.longhaul.gridftp.file;

import org.jspecify.annotations.NullMarked;
