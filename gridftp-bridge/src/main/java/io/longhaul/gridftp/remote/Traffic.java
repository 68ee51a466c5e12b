package io.longhaul.gridftp.remote;

/**
 * What crossed the network since a process began.
 *
 * @param sentBytes of messages with blocks of contents, headers included
 * @param receivedBytes of the same
 */
public record Traffic(long sentBytes, long receivedBytes) {}
