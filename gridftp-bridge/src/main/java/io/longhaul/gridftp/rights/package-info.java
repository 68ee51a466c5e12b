/** What single users may see and change: a view of a back end. Knows {@code spi}. */
@NullMarked
package io.longhaul.gridftp.rights;

import org.jspecify.annotations.NullMarked;
