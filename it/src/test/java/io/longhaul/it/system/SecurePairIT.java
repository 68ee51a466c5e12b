package io.longhaul.it.system;

import static io.longhaul.it.testbed.BrokerPair.awaitRole;

import io.longhaul.it.testbed.BrokerPair;
import io.longhaul.it.testbed.Delivery;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.PartFiles;
import io.longhaul.it.testbed.Pem;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import io.longhaul.it.testbed.Users;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A pair of brokers with TLS, users and limits. */
@ExtendWith(TestbedExtension.class)
final class SecurePairIT {
    private static final String TOPIC = "pair";
    private static final int REFUSED = 7;
    private static final long LENGTH = 64 * TestFile.MIB;

    private static Node asAgent(Node node) {
        return node.with("--user", "agent").withVariable("LONGHAUL_PASSWORD", "secret of agent");
    }

    @Test
    @Tag("slow")
    void shouldKeepToTlsAndLimitsWhenTheBackupHasTakenOver(Testbed testbed) {
        // given
        Pem pem = Pem.in(testbed);
        Path users = testbed.file("users.yaml");
        BrokerPair pair = BrokerPair.secured(testbed, "?tls=true&ca=" + pem.certificate());
        Users.add(users, "broker", "secret of broker", "--publish", "#", "--subscribe", "#", "--link");
        Users.add(users, "agent", "secret of agent", "--publish", "#", "--subscribe", "#");
        for (Node broker : List.of(pair.witness(), pair.first(), pair.second())) {
            broker.with(pem.options())
                    .with("--users", users.toString(), "--link-user", "broker")
                    .with("--limit-user", "rate=4MiB,transfers=1")
                    .withVariable("LONGHAUL_LINK_PASSWORD", "secret of broker");
        }
        pair.startInSync();
        Node subscriber = asAgent(pair.subscriber("subscriber", TOPIC));
        subscriber.startReady();
        Path source = TestFile.random(testbed.file("file.bin"), 1, LENGTH);
        Node publisher = asAgent(pair.publisher("publisher", source, TOPIC, "--wait", "1"));
        publisher.start();
        PartFiles.awaitBytes(subscriber, LENGTH / 4);

        // when
        pair.first().kill();
        awaitRole(pair.second(), "alone");
        PartFiles.awaitBytes(subscriber, LENGTH / 2);

        // then
        asAgent(pair.publisher("second", source, TOPIC)).start().expectExit(REFUSED);
        publisher.child().expectExit(0);
        Delivery.await(subscriber, 1);
        Delivery.assertSame(subscriber, source, "file.bin");
    }
}
