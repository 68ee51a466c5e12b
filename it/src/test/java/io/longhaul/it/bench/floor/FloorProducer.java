package io.longhaul.it.bench.floor;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.concurrent.Semaphore;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.SendAcknowledgementHandler;
import org.apache.activemq.artemis.api.core.client.ServerLocator;

/**
 * Sends a file as pieces, or a tree of small files as packs: durable messages of up to 1 MiB, each with its CRC32C, and a seal
 * with name and digest behind them. Ends when the broker has acknowledged them. Arguments: port, file or directory.
 */
public final class FloorProducer {
    private final ClientSession session;
    private final ClientProducer producer;
    private final Semaphore room = new Semaphore(FloorLink.IN_FLIGHT);

    private FloorProducer(ClientSession session, ClientProducer producer) {
        this.session = session;
        this.producer = producer;
        session.setSendAcknowledgementHandler(new SendAcknowledgementHandler() {
            @Override
            public void sendAcknowledged(Message message) {
                room.release();
            }
        });
    }

    public static void main(String[] arguments) throws Exception {
        Path source = Path.of(arguments[1]);
        String name = source.getFileName().toString();
        try (ServerLocator locator = FloorLink.locator(Integer.parseInt(arguments[0]));
                ClientSessionFactory factory = locator.createSessionFactory();
                ClientSession session = factory.createSession(true, true);
                ClientProducer producer = session.createProducer(FloorLink.ADDRESS)) {
            FloorProducer floor = new FloorProducer(session, producer);
            byte[] digest = Files.isDirectory(source) ? Packs.of(source, floor::sendPack) : floor.sendPieces(source);
            ClientMessage seal = session.createMessage(true);
            seal.putStringProperty(FloorLink.NAME, name);
            seal.putStringProperty(FloorLink.DIGEST, HexFormat.of().formatHex(digest));
            floor.send(seal, new byte[0], 0);
            floor.room.acquire(FloorLink.IN_FLIGHT);
        }
        FloorLink.say("published", name);
    }

    private byte[] sendPieces(Path file) throws Exception {
        MessageDigest digest = FloorLink.sha256();
        byte[] piece = new byte[FloorLink.PIECE_BYTES];
        try (InputStream in = Files.newInputStream(file)) {
            long offset = 0;
            for (int read = in.readNBytes(piece, 0, piece.length);
                    read > 0;
                    read = in.readNBytes(piece, 0, piece.length)) {
                digest.update(piece, 0, read);
                ClientMessage message = session.createMessage(true);
                message.putLongProperty(FloorLink.OFFSET, offset);
                send(message, piece, read);
                offset += read;
            }
        }
        return digest.digest();
    }

    private void sendPack(byte[] pack, int length) throws Exception {
        send(session.createMessage(true), pack, length);
    }

    private void send(ClientMessage message, byte[] body, int length) throws Exception {
        message.putIntProperty(FloorLink.CRC, FloorLink.crc(body, length));
        message.getBodyBuffer().writeBytes(body, 0, length);
        room.acquire();
        producer.send(message);
    }
}
