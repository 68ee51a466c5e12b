package io.longhaul.it.bench.floor;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;

/**
 * Receives files and trees for ever: checks each message, writes what is in it, forces a batch before it is acknowledged, and
 * renames what is whole, right and forced. Arguments: port, directory, whose name its queue has, too.
 */
public final class FloorConsumer {
    private static final int BATCH = 16;

    private FloorConsumer() {}

    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[1]);
        try (ServerLocator locator = FloorLink.locator(Integer.parseInt(arguments[0]));
                ClientSessionFactory factory = locator.createSessionFactory();
                ClientSession session = factory.createSession(true, true);
                ClientConsumer consumer =
                        FloorLink.consumer(session, directory.getFileName().toString())) {
            session.start();
            FloorLink.say("ready", "receiver");
            while (!Thread.interrupted()) {
                receive(consumer, directory);
            }
        }
    }

    private static void receive(ClientConsumer consumer, Path directory) throws Exception {
        Path path = directory.resolve(".part");
        byte[] body = new byte[FloorLink.PIECE_BYTES];
        ClientMessage message = consumer.receive();
        try (Part part = message.containsProperty(FloorLink.OFFSET) ? new PartFile(path) : new PartTree(path)) {
            for (int taken = 1; !message.containsProperty(FloorLink.DIGEST); taken++) {
                int length = message.getBodySize();
                message.getBodyBuffer().readBytes(body, 0, length);
                if (FloorLink.crc(body, length) != message.getIntProperty(FloorLink.CRC)) {
                    throw new IllegalStateException("a message arrived with other bytes");
                }
                part.write(message, ByteBuffer.wrap(body, 0, length));
                if (taken % BATCH == 0) {
                    part.force();
                    message.acknowledge(); // this one and all before it
                }
                message = consumer.receive();
            }
            part.force();
            if (!HexFormat.of().formatHex(part.digest()).equals(message.getStringProperty(FloorLink.DIGEST))) {
                throw new IllegalStateException(directory + ": arrived with other bytes");
            }
        }
        String name = message.getStringProperty(FloorLink.NAME);
        Files.move(path, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel folder = FileChannel.open(directory)) {
            folder.force(true);
        }
        message.acknowledge();
        FloorLink.say("delivered", name);
    }
}
