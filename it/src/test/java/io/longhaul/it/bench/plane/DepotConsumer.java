package io.longhaul.it.bench.plane;

import io.longhaul.it.bench.floor.FloorLink;
import io.longhaul.it.bench.floor.ReceivedFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;

/**
 * Receives claims for ever, fetches each piece from the depot, and does with it what the floor's consumer does. Arguments:
 * port of the broker, directory.
 */
public final class DepotConsumer {
    private static final int BATCH = 16;

    private DepotConsumer() {}

    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[0]);
        Path directory = Path.of(arguments[1]);
        try (ServerLocator locator = FloorLink.locator(port);
                ClientSessionFactory factory = locator.createSessionFactory();
                ClientSession session = factory.createSession(true, true);
                ClientConsumer consumer =
                        FloorLink.consumer(session, directory.getFileName().toString())) {
            session.start();
            FloorLink.say("ready", "receiver");
            while (!Thread.interrupted()) {
                ClientMessage first = consumer.receive();
                String name = first.getStringProperty(FloorLink.NAME);
                try (SocketChannel depot = Wire.connect(port + 1, Depot.GET)) {
                    receive(consumer, first, depot, directory, name);
                }
            }
        }
    }

    private static void receive(
            ClientConsumer consumer, ClientMessage first, SocketChannel depot, Path directory, String name)
            throws Exception {
        Path part = directory.resolve(".part");
        MessageDigest digest = FloorLink.sha256();
        ByteBuffer piece = ReceivedFile.memory();
        byte[] bytes = new byte[Wire.PIECE_BYTES];
        ByteBuffer request = ByteBuffer.allocateDirect(Wire.HEADER_BYTES);
        ClientMessage message = first;
        try (ReceivedFile file = new ReceivedFile(part)) {
            for (int unforced = 1; ; unforced++) {
                long offset = message.getLongProperty(FloorLink.OFFSET);
                int length = message.getIntProperty(FloorLink.LENGTH);
                request.clear().putLong(offset).putInt(length).flip();
                Wire.drain(depot, request);
                Wire.fill(depot, piece.clear().limit(length));
                piece.flip().get(0, bytes, 0, length);
                if (FloorLink.crc(bytes, length) != message.getIntProperty(FloorLink.CRC)) {
                    throw new IllegalStateException("a piece arrived with other bytes");
                }
                digest.update(bytes, 0, length);
                file.write(piece, offset);
                boolean last = message.containsProperty(FloorLink.DIGEST);
                if (last || unforced % BATCH == 0) {
                    file.force(false);
                    message.acknowledge(); // this one and all before it
                }
                if (last) {
                    break;
                }
                message = consumer.receive();
            }
            if (!HexFormat.of().formatHex(digest.digest()).equals(message.getStringProperty(FloorLink.DIGEST))) {
                throw new IllegalStateException("the file arrived with other bytes");
            }
            file.force(true);
        }
        Files.move(part, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel folder = FileChannel.open(directory)) {
            folder.force(true);
        }
        FloorLink.say("delivered", name);
    }
}
