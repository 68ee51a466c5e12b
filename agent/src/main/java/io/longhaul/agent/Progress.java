package io.longhaul.agent;

/**
 * A snapshot of a transfer on its way.
 *
 * @param transfer identity of the transfer, 32 hexadecimal digits
 * @param name its name at the destination
 * @param totalBytes length, or -1 while unknown
 * @param safeBytes bytes that are safe at the next place: acknowledged by the broker, or durable here
 * @param resentPieces pieces that had to be sent again, or arrived again
 * @param resentBytes their bytes
 * @param repairedBytes bytes that came by repair, or were served as repair
 * @param phase one word: {@code sending}, {@code waiting}, {@code receiving}, {@code verifying}, {@code done}, {@code failed}
 */
public record Progress(
        String transfer,
        String name,
        long totalBytes,
        long safeBytes,
        long resentPieces,
        long resentBytes,
        long repairedBytes,
        String phase) {}
