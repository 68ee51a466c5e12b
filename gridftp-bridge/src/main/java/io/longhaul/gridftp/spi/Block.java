package io.longhaul.gridftp.spi;

import io.netty.buffer.ByteBuf;

/**
 * Bytes of a file.
 *
 * @param position of the first one in the file
 * @param bytes the taker's to release
 */
public record Block(long position, ByteBuf bytes) {}
