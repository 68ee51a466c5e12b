package io.longhaul.it.bench.floor;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;

/**
 * Receives files for ever: checks each piece, writes it at its place, forces a batch before it is acknowledged, and renames
 * what is whole, right and forced. Arguments: port, directory.
 */
public final class FloorConsumer {
    private static final int BATCH = 16;

    private FloorConsumer() {}

    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[1]);
        try (ServerLocator locator = FloorLink.locator(Integer.parseInt(arguments[0]));
                ClientSessionFactory factory = locator.createSessionFactory();
                ClientSession session = factory.createSession(true, true);
                ClientConsumer consumer = session.createConsumer(FloorLink.QUEUE)) {
            session.start();
            FloorLink.say("ready", "receiver");
            while (!Thread.interrupted()) {
                receive(consumer, directory);
            }
        }
    }

    private static void receive(ClientConsumer consumer, Path directory) throws Exception {
        Path part = directory.resolve(".part");
        MessageDigest digest = FloorLink.sha256();
        byte[] piece = new byte[FloorLink.PIECE_BYTES];
        ClientMessage message;
        try (FileChannel file = FileChannel.open(
                part, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            int unforced = 0;
            do {
                message = consumer.receive();
                int length = message.getBodySize();
                message.getBodyBuffer().readBytes(piece, 0, length);
                if (FloorLink.crc(piece, length) != message.getIntProperty(FloorLink.CRC)) {
                    throw new IllegalStateException("a piece arrived with other bytes");
                }
                digest.update(piece, 0, length);
                ByteBuffer bytes = ByteBuffer.wrap(piece, 0, length);
                long offset = message.getLongProperty(FloorLink.OFFSET);
                while (bytes.hasRemaining()) {
                    offset += file.write(bytes, offset);
                }
                if (++unforced == BATCH || message.containsProperty(FloorLink.DIGEST)) {
                    file.force(false);
                    unforced = 0;
                    message.acknowledge(); // this one and all before it
                }
            } while (!message.containsProperty(FloorLink.DIGEST));
            if (!HexFormat.of().formatHex(digest.digest()).equals(message.getStringProperty(FloorLink.DIGEST))) {
                throw new IllegalStateException("the file arrived with other bytes");
            }
            file.force(true);
        }
        String name = message.getStringProperty(FloorLink.NAME);
        Files.move(part, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel folder = FileChannel.open(directory)) {
            folder.force(true);
        }
        FloorLink.say("delivered", name);
    }
}
