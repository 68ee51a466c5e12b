/**
 * The module's entry: {@link io.longhaul.ptcp.net.PtcpServer} accepts sessions, {@link io.longhaul.ptcp.net.PtcpClient}
 * opens them. Greetings are exchanged here; what follows is the session's.
 */
@NullMarked
package io.longhaul.ptcp.net;

import org.jspecify.annotations.NullMarked;
