package io.longhaul.it.bench.floor;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.activemq.artemis.core.server.ActiveMQServer;

/**
 * All three programs in one process with a small file and a small tree, so that the archive of classes that is made of it
 * serves each of them. Arguments: an empty directory.
 */
public final class FloorRehearsal {
    private static final int FILE_BYTES = 64 * 1024 * 1024;
    private static final int FILES = 1000;

    private FloorRehearsal() {}

    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        Path into = Files.createDirectories(directory.resolve("into"));
        Path file = Files.write(directory.resolve("file"), new byte[FILE_BYTES]);
        Path tree = Files.createDirectories(directory.resolve("tree"));
        for (int i = 0; i < FILES; i++) {
            Files.write(tree.resolve("f" + i), new byte[FILE_BYTES / 16 / FILES]);
        }
        int port = freePort();
        ActiveMQServer broker = FloorBroker.start(port, directory.resolve("broker"));
        Thread consumer = new Thread(() -> receive(port, into), "floor-consumer-1");
        consumer.setDaemon(true);
        consumer.start();
        while (broker.locateQueue("into") == null) {
            Thread.onSpinWait();
        }
        for (Path source : new Path[] {file, tree}) {
            FloorProducer.main(new String[] {Integer.toString(port), source.toString()});
            while (!Files.exists(into.resolve(source.getFileName()))) {
                Thread.onSpinWait();
            }
        }
        System.exit(0); // the broker's threads would stay
    }

    private static void receive(int port, Path into) {
        try {
            FloorConsumer.main(new String[] {Integer.toString(port), into.toString()});
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
