/** What travels: greetings, frames of the control channel, packets of the data channels. Knows no socket. */
@NullMarked
package io.longhaul.ptcp.frame;

import org.jspecify.annotations.NullMarked;
