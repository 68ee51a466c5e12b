/**
 * The entry of the module: {@link io.longhaul.gridftp.front.GridFtpFront} serves clients. It puts the other packages
 * together and owns the event loops.
 */
@NullMarked
package io.longhaul.gridftp.front;

import org.jspecify.annotations.NullMarked;
