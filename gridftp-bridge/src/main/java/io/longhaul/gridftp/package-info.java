/**
 * What whoever starts a front says about it: configuration, limits, accounts. {@code front.GridFtpFront} is the door.
 * Knows nothing else of the module.
 */
@NullMarked
package io.longhaul.gridftp;

import org.jspecify.annotations.NullMarked;
