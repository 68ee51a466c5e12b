package io.longhaul.ptcp.artemis;

import io.longhaul.ptcp.PtcpListener;
import io.longhaul.ptcp.PtcpSession;
import java.util.function.Function;

/**
 * Another protocol on the port of an acceptor: sessions whose stream begins with four certain bytes go there.
 *
 * @param magic these bytes, big-endian; as the length of a first frame of the core protocol they must be out of range.
 *     They are the other protocol's to read, too
 * @param listeners gives each such session its listener
 */
public record SideDoor(int magic, Function<PtcpSession, PtcpListener> listeners) {}
