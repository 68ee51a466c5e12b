package io.longhaul.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/**
 * The bytes that a receipt's signature is over; {@code docs/protocol/pieces.md} describes them.
 *
 * <pre>
 *          +----------------------+-----------+----------+-----------+---------- ...
 *          | "longhaul receipt v1" 00 | a: length | transfer | b: length | topic
 *          +----------------------+-----------+----------+-----------+---------- ...
 *  bytes     20                     4           a          4           b
 * </pre>
 *
 * <p>Big-endian; every field has its length in front, so no two receipts have the same bytes, and the text at the start
 * keeps a signature from meaning anything else. JSON is not signed: it has many forms of one content.
 */
final class ReceiptEncoding {
    private static final byte[] DOMAIN = "longhaul receipt v1\0".getBytes(StandardCharsets.US_ASCII);

    private ReceiptEncoding() {}

    /** Returns the bytes of the receipt at that place of a chain, signed with the key of those 32 bytes. */
    static byte[] encode(Receipt receipt, long sequence, String previous, String key) {
        List<byte[]> fields = List.of(
                ByteBuffer.allocate(2 * Long.BYTES)
                        .putLong(receipt.transfer().high())
                        .putLong(receipt.transfer().low())
                        .array(),
                text(receipt.topic()),
                text(receipt.subscription()),
                text(receipt.agent()),
                text(receipt.outcome().name()),
                number(receipt.length()),
                hex(receipt.digest()),
                text(receipt.path()),
                number(receipt.atMillis()),
                text(receipt.reason()),
                number(sequence),
                hex(previous),
                hex(key));
        int length = DOMAIN.length
                + fields.stream()
                        .mapToInt(field -> Integer.BYTES + field.length)
                        .sum();
        ByteBuffer bytes = ByteBuffer.allocate(length).put(DOMAIN);
        fields.forEach(field -> bytes.putInt(field.length).put(field));
        return bytes.array();
    }

    /** Returns the bytes of a receipt that has a proof. */
    static byte[] encode(Receipt receipt, ReceiptProof proof) {
        return encode(receipt, proof.sequence(), proof.previous(), proof.key());
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] number(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits);
    }
}
