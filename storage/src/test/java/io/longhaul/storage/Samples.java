package io.longhaul.storage;

import java.util.zip.CRC32C;

/** Rows for tests. */
public final class Samples {
    private Samples() {}

    public static TransferRow outgoing(long key, String transferId) {
        return new TransferRow(
                key,
                Direction.OUTGOING,
                transferId,
                "climate.daily",
                "",
                "name-" + transferId,
                TransferState.SENDING,
                0,
                1_000 + key,
                "{\"m\":1}",
                "",
                "/source",
                "{}");
    }

    public static TransferRow incoming(long key, String transferId, String name, long order, TransferState state) {
        return new TransferRow(
                key,
                Direction.INCOMING,
                transferId,
                "climate.daily",
                "s1",
                name,
                state,
                order,
                1_000 + key,
                "{\"m\":1}",
                "",
                "/place",
                "{}");
    }

    public static PieceRow spooled(long index, byte[] body, long position) {
        return new PieceRow(index, 1, 0, index * 4096, body.length, crc(body), false, position);
    }

    public static PieceRow durable(long index) {
        return new PieceRow(index, 1, 0, index * 4096, 4096, (int) index, true, -1);
    }

    public static int crc(byte[] body) {
        CRC32C crc = new CRC32C();
        crc.update(body);
        return (int) crc.getValue();
    }
}
