package io.longhaul.gridftp.topic;

import io.longhaul.gridftp.spi.FilePath;
import io.longhaul.gridftp.topic.PublishedFile.State;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A {@link PublishedFile} on disk. Integers are big-endian, texts are those of {@link DataOutputStream#writeUTF}.
 *
 * <pre>
 * magic (4) "LHTP" | version (2) 1 | told (1) | length (8) | modified: seconds (8), nanoseconds (4)
 * state | id | path | transfer | number of subscriptions (4), each of them | CRC-32C of all before (4)
 * </pre>
 */
final class RecordCodec {
    private static final int MAGIC = 0x4c485450;
    private static final short VERSION = 1;
    private static final int MOST_SUBSCRIPTIONS = 100_000;
    private static final int SUM_BYTES = 4;

    private RecordCodec() {}

    static byte[] encode(PublishedFile file) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(MAGIC);
            out.writeShort(VERSION);
            out.writeBoolean(file.isTold());
            out.writeLong(file.length());
            Instant modified = file.modified();
            out.writeLong(modified.getEpochSecond());
            out.writeInt(modified.getNano());
            out.writeUTF(file.state().name());
            out.writeUTF(file.id());
            out.writeUTF(file.path().toString());
            out.writeUTF(file.transfer());
            out.writeInt(file.sentTo().size());
            for (String subscription : file.sentTo()) {
                out.writeUTF(subscription);
            }
            out.writeInt(sum(bytes.toByteArray(), bytes.size()));
        } catch (IOException e) {
            throw new IllegalStateException("record: memory does not fail", e);
        }
        return bytes.toByteArray();
    }

    private static int sum(byte[] bytes, int length) {
        CRC32C sum = new CRC32C();
        sum.update(bytes, 0, length);
        return (int) sum.getValue();
    }

    /** Reads one; throws {@link IOException} that says what is wrong with it. */
    static PublishedFile decode(byte[] bytes) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int magic = in.readInt();
            short version = in.readShort();
            if (magic != MAGIC || version != VERSION) {
                throw new IOException("expected a record of version " + VERSION + ", found version " + version);
            }
            int body = bytes.length - SUM_BYTES;
            try (DataInputStream end = new DataInputStream(new ByteArrayInputStream(bytes, body, SUM_BYTES))) {
                if (end.readInt() != sum(bytes, body)) {
                    throw new IOException("expected another checksum: it is damaged");
                }
            }
            return fields(in);
        } catch (DateTimeException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new IOException("expected a record: " + e.getMessage(), e);
        }
    }

    private static PublishedFile fields(DataInputStream in) throws IOException {
        boolean told = in.readBoolean();
        long length = in.readLong();
        Instant modified = Instant.ofEpochSecond(in.readLong(), in.readInt());
        State state = State.valueOf(in.readUTF());
        String id = in.readUTF();
        FilePath path = FilePath.of(in.readUTF());
        String transfer = in.readUTF();
        int count = in.readInt();
        if (count < 0 || count > MOST_SUBSCRIPTIONS) {
            throw new IOException("expected up to " + MOST_SUBSCRIPTIONS + " subscriptions, found " + count);
        }
        List<String> sentTo = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sentTo.add(in.readUTF());
        }
        return new PublishedFile(id, path, length, modified, sentTo, transfer, state, told);
    }
}
