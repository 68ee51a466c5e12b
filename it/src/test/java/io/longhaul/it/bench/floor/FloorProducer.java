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
 * Sends a file as durable messages of 1 MiB, each with its CRC32C, the last with the SHA-256 of all; ends when the broker
 * has acknowledged them. Arguments: port, file.
 */
public final class FloorProducer {
    private FloorProducer() {}

    public static void main(String[] arguments) throws Exception {
        Path file = Path.of(arguments[1]);
        MessageDigest digest = FloorLink.sha256();
        Semaphore room = new Semaphore(FloorLink.IN_FLIGHT);
        try (ServerLocator locator = FloorLink.locator(Integer.parseInt(arguments[0]));
                ClientSessionFactory factory = locator.createSessionFactory();
                ClientSession session = factory.createSession(true, true);
                ClientProducer producer = session.createProducer(FloorLink.ADDRESS);
                InputStream in = Files.newInputStream(file)) {
            session.setSendAcknowledgementHandler(new SendAcknowledgementHandler() {
                @Override
                public void sendAcknowledged(Message message) {
                    room.release();
                }
            });
            byte[] piece = new byte[FloorLink.PIECE_BYTES];
            long length = Files.size(file);
            for (long offset = 0; offset < length; ) {
                int read = in.readNBytes(piece, 0, piece.length);
                digest.update(piece, 0, read);
                ClientMessage message = session.createMessage(true);
                message.putLongProperty(FloorLink.OFFSET, offset);
                message.putIntProperty(FloorLink.CRC, FloorLink.crc(piece, read));
                offset += read;
                if (offset == length) {
                    message.putStringProperty(FloorLink.NAME, file.getFileName().toString());
                    message.putStringProperty(FloorLink.DIGEST, HexFormat.of().formatHex(digest.digest()));
                }
                message.getBodyBuffer().writeBytes(piece, 0, read);
                room.acquire();
                producer.send(message);
            }
            room.acquire(FloorLink.IN_FLIGHT);
        }
        FloorLink.say("published", file.getFileName().toString());
    }
}
