package io.longhaul.ptcp.session;

import io.netty.buffer.ByteBuf;

/** Bytes as they came from one socket, with their position in the stream: a packet or a part of one. */
record Fragment(long position, ByteBuf bytes) {}
