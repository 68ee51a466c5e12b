/** The front with real clients and real servers, as processes. */
@NullMarked
package io.longhaul.it.gridftp;

import org.jspecify.annotations.NullMarked;
