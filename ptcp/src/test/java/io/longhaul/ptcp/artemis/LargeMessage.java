package io.longhaul.ptcp.artemis;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.SplittableRandom;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;

/** A program with a server, a producer and a consumer that stream one message which is larger than its heap. */
final class LargeMessage {
    static final int HEAP_MIB = 80;
    private static final long BYTES = 150L * 1024 * 1024;

    private LargeMessage() {}

    /** Takes the server's data directory. */
    public static void main(String[] arguments) throws Exception {
        try (EmbeddedBroker broker =
                        EmbeddedBroker.of(Path.of(arguments[0])).start().withQueue("large");
                CoreClient client = CoreClient.once(broker.port())) {
            MessageDigest sent = MessageDigest.getInstance("SHA-256");
            ClientSession sending = client.session();
            ClientMessage message = sending.createMessage(true);
            message.setBodyInputStream(new DigestInputStream(new Noise(), sent));
            sending.createProducer("large").send(message);

            MessageDigest received = MessageDigest.getInstance("SHA-256");
            ClientMessage same = client.session().createConsumer("large").receive(30_000);
            same.saveToOutputStream(new DigestOutputStream(OutputStream.nullOutputStream(), received));
            same.acknowledge();
            System.out.println("same bytes: " + MessageDigest.isEqual(sent.digest(), received.digest()));
        }
        System.exit(0);
    }

    /** Random bytes that nobody keeps. */
    private static final class Noise extends InputStream {
        private final SplittableRandom random = new SplittableRandom(1);
        private long left = BYTES;

        @Override
        public int read() {
            return left-- > 0 ? random.nextInt(256) : -1;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            if (left <= 0) {
                return -1;
            }
            int count = (int) Math.min(left, length);
            byte[] bytes = new byte[count];
            random.nextBytes(bytes);
            System.arraycopy(bytes, 0, target, offset, count);
            left -= count;
            return count;
        }
    }
}
