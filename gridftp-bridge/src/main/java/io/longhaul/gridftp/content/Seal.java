package io.longhaul.gridftp.content;

/**
 * What a content is that does not grow any more.
 *
 * @param length how many bytes it has; as many as lie before its end when there are no holes
 * @param checksum CRC-32C of them, ascending, holes left out
 */
public record Seal(long length, int checksum) {}
