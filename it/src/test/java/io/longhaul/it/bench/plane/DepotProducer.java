package io.longhaul.it.bench.plane;

import io.longhaul.it.bench.floor.FloorLink;
import java.io.DataInputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.SendAcknowledgementHandler;
import org.apache.activemq.artemis.api.core.client.ServerLocator;

/**
 * Sends a file's pieces to the depot, and a durable claim for each once the depot has forced it. Arguments: port of the
 * broker, file.
 */
public final class DepotProducer {
    private static final int IN_FLIGHT = 32;

    private record Claim(long offset, int length, int crc, String digest) {}

    private DepotProducer() {}

    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[0]);
        Path path = Path.of(arguments[1]);
        String name = path.getFileName().toString();
        Semaphore room = new Semaphore(IN_FLIGHT);
        Queue<Claim> sent = new ConcurrentLinkedQueue<>();
        try (ServerLocator locator = FloorLink.locator(port);
                ClientSessionFactory factory = locator.createSessionFactory();
                ClientSession session = factory.createSession(true, true);
                ClientProducer producer = session.createProducer(FloorLink.ADDRESS);
                SocketChannel depot = Wire.connect(port + 1, Depot.PUT);
                FileChannel file = FileChannel.open(path)) {
            session.setSendAcknowledgementHandler(new SendAcknowledgementHandler() {
                @Override
                public void sendAcknowledged(Message message) {
                    room.release();
                }
            });
            long length = file.size();
            FutureTask<Void> claims = new FutureTask<>(() -> {
                claim(session, producer, depot, sent, name, length);
                return null;
            });
            new Thread(claims, "depot-claims-1").start();
            send(file, depot, sent, room, length);
            claims.get();
            room.acquire(IN_FLIGHT);
        }
    }

    private static void send(FileChannel file, SocketChannel depot, Queue<Claim> sent, Semaphore room, long length)
            throws Exception {
        MessageDigest digest = FloorLink.sha256();
        ByteBuffer piece = ByteBuffer.allocateDirect(Wire.PIECE_BYTES);
        byte[] bytes = new byte[Wire.PIECE_BYTES];
        ByteBuffer header = ByteBuffer.allocateDirect(Wire.HEADER_BYTES);
        for (long offset = 0; offset < length; ) {
            room.acquire();
            piece.clear();
            while (piece.hasRemaining() && offset + piece.position() < length) {
                file.read(piece, offset + piece.position());
            }
            int size = piece.flip().limit();
            piece.get(0, bytes, 0, size);
            digest.update(bytes, 0, size);
            boolean last = offset + size == length;
            sent.add(new Claim(
                    offset,
                    size,
                    FloorLink.crc(bytes, size),
                    last ? HexFormat.of().formatHex(digest.digest()) : ""));
            header.clear().putLong(offset).putInt(size).flip();
            Wire.drain(depot, header, piece);
            offset += size;
        }
    }

    /** Sends what is forced on as claims, until all is. */
    private static void claim(
            ClientSession session,
            ClientProducer producer,
            SocketChannel depot,
            Queue<Claim> sent,
            String name,
            long length)
            throws Exception {
        DataInputStream in = new DataInputStream(depot.socket().getInputStream());
        for (long forced = 0; forced < length; ) {
            forced = in.readLong();
            while (!sent.isEmpty() && sent.element().offset() < forced) {
                Claim claim = sent.remove();
                ClientMessage message = session.createMessage(true);
                message.putLongProperty(FloorLink.OFFSET, claim.offset());
                message.putIntProperty(FloorLink.LENGTH, claim.length());
                message.putIntProperty(FloorLink.CRC, claim.crc());
                message.putStringProperty(FloorLink.NAME, name);
                if (!claim.digest().isEmpty()) {
                    message.putStringProperty(FloorLink.DIGEST, claim.digest());
                }
                producer.send(message);
            }
        }
    }
}
