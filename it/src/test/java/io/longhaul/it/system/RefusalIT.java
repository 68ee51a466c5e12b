package io.longhaul.it.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.longhaul.it.testbed.Answer;
import io.longhaul.it.testbed.Child;
import io.longhaul.it.testbed.Delivery;
import io.longhaul.it.testbed.Network;
import io.longhaul.it.testbed.Node;
import io.longhaul.it.testbed.TestFile;
import io.longhaul.it.testbed.Testbed;
import io.longhaul.it.testbed.TestbedExtension;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is not possible or not allowed ends with its exit code and a clear line, and changes nothing. */
@ExtendWith(TestbedExtension.class)
final class RefusalIT {
    private static final String TOPIC = "refusal";
    private static final int USAGE = 2;
    private static final int UNREACHABLE = 3;
    private static final int REFUSED = 7;

    /** A broker that has nothing to do with most refusals. Tests of it have topics and names of their own. */
    private static Network shared;

    @BeforeAll
    static void startBroker(Testbed testbed) {
        shared = Network.of(testbed, "--limit-topic", TOPIC + ".limited=backlog=1MiB,rate=8MiB");
        shared.broker().startReady();
    }

    @Test
    void shouldRefuseToPublishWhenNobodySubscribes(Testbed testbed) {
        // given
        Network network = shared.in(testbed);
        String topic = TOPIC + ".unwanted";
        Path source = TestFile.random(testbed.file("unwanted"), 1, 1000);

        // when
        Node publisher = network.publisher("publisher", source, topic);
        publisher.start().expectExit(REFUSED);

        // then
        assertOneLine(publisher.child(), "subscri", topic);
    }

    @Test
    void shouldRefuseToWaitForMoreReceiptsThanSubscriptions(Testbed testbed) {
        // given
        Network network = shared.in(testbed);
        String topic = TOPIC + ".greedy";
        Node subscriber = network.subscriber("the-only-one", topic);
        subscriber.startReady();
        Path source = TestFile.random(testbed.file("greedy"), 1, 1000);

        // when
        Node publisher = network.publisher("publisher", source, topic, "--wait", "2");
        publisher.start().expectExit(REFUSED);

        // then
        assertOneLine(publisher.child(), "2", "1");
        Delivery.assertNothingVisible(subscriber);
    }

    @Test
    void shouldRefuseAnotherTransferWhileTooMuchOfATopicWaits(Testbed testbed) {
        // given
        Network network = shared.in(testbed);
        String topic = TOPIC + ".limited";
        Node subscriber = network.subscriber("late", topic);
        subscriber.startReady().terminate();
        subscriber.child().expectExit(0);
        Path first = TestFile.random(testbed.file("first"), 1, 12 * TestFile.MIB);
        Path second = TestFile.random(testbed.file("second"), 2, 1000);
        network.publisher("publisher-1", first, topic).start().expectExit(0);

        // when
        Node publisher = network.publisher("publisher-2", second, topic);
        publisher.start().expectExit(REFUSED);

        // then
        assertOneLine(publisher.child(), "topic " + topic + " has ", "bytes waiting", "expected less than");
        subscriber.startReady();
        Delivery.await(subscriber, 1);
        Delivery.assertSame(subscriber, first, "first");
    }

    @Test
    void shouldRefuseSecondProcessOfSameNameWhileFirstGoesOn(Testbed testbed) {
        // given
        Network network = shared.in(testbed);
        String topic = TOPIC + ".twice";
        Node first = network.subscriber("subscriber", topic);
        first.startReady();
        Path elsewhere = testbed.directory("elsewhere");

        // when
        Node second = network.node(
                "second",
                "subscribe",
                topic,
                "--name",
                "subscriber",
                "--into",
                elsewhere.resolve("into").toString(),
                "--data",
                elsewhere.resolve("data").toString(),
                "--broker",
                network.address());
        second.start().expectExit(REFUSED);

        // then
        assertOneLine(second.child(), "subscriber", "in use");
        assertThat(elsewhere).isEmptyDirectory();
        Path source = TestFile.random(testbed.file("still"), 2, 1000);
        network.publisher("publisher", source, topic, "--wait", "1").start().expectExit(0);
        Delivery.assertSame(first, source, "still");
    }

    @Test
    void shouldRefuseSecondProcessOfSameDataDirectory(Testbed testbed) {
        // given
        Network network = shared.in(testbed);
        String topic = TOPIC + ".directory";
        Node first = network.subscriber("first", topic);
        first.startReady();

        // when
        Child second = network.node(
                        "second",
                        "subscribe",
                        topic,
                        "--name",
                        "other",
                        "--into",
                        testbed.directory("elsewhere").toString(),
                        "--data",
                        first.data().toString(),
                        "--broker",
                        network.address())
                .start()
                .expectExit(REFUSED);
        Child broker = network.node(
                        "second-broker",
                        "broker",
                        "--name",
                        "second",
                        "--listen",
                        "127.0.0.1:0",
                        "--data",
                        network.broker().data().toString())
                .start()
                .expectExit(REFUSED);

        // then
        assertOneLine(
                second, first.data().toString(), Long.toString(first.child().pid()));
        assertOneLine(broker, network.broker().data().toString());
    }

    @Test
    void shouldSayUnreachableWhenNoBrokerAnswersInTime(Testbed testbed) {
        // given
        Network network = Network.of(testbed);
        Path source = TestFile.random(testbed.file("nowhere"), 1, 1000);

        // when
        Node publisher = network.publisher("publisher", source, TOPIC, "--timeout", "2s");

        // then
        assertOneLine(publisher.start().expectExit(UNREACHABLE), network.address());
    }

    @Test
    void shouldSayUsageWhenArgumentsAreWrong(Testbed testbed) {
        // given
        Network network = Network.of(testbed);

        // when
        List<Answer> answers = List.of(
                network.run(USAGE, "publish", "--topic", TOPIC, "--broker", network.address()),
                network.run(USAGE, "publish", "/no/such/file", "--topic", TOPIC, "--broker", network.address()),
                network.run(USAGE, "subscribe", TOPIC, "--name", "x", "--broker", network.address()),
                network.run(
                        USAGE, "subscribe", TOPIC, "--name", "a/../b", "--into", "x", "--broker", network.address()),
                network.run(USAGE, "broker", "--name", "b", "--data", "x", "--listen", "nonsense"),
                network.run(USAGE, "publihs"));

        // then
        assertThat(answers).allSatisfy(answer -> assertThat(answer.errors()).isNotEmpty());
        assertThat(answers.get(5).story()).contains("publish");
    }

    @Test
    void shouldDropGarbageOnThePortAndGoOn(Testbed testbed) throws IOException {
        // given: a broker that has nothing else to log
        Network network = Network.of(testbed);
        network.broker().startReady();
        Node subscriber = network.subscriber("subscriber", TOPIC);
        subscriber.startReady();
        byte[] garbage = new byte[100_000];
        new Random(1).nextBytes(garbage);
        int before = network.broker().child().errors().size();

        // when
        String[] address = network.address().split(":");
        for (byte[] bytes : List.of(garbage, "GET / HTTP/1.1\r\n\r\n".getBytes(), new byte[] {0x7f, -1, -1, -1, 1})) {
            try (Socket socket = new Socket(address[0], Integer.parseInt(address[1]))) {
                socket.getOutputStream().write(bytes);
                socket.getOutputStream().flush();
                socket.setSoTimeout(20_000);
                socket.getInputStream().readAllBytes();
            } catch (IOException e) {
                // a reset is as good an answer as an end
                assertThat(e).hasMessageMatching("(?s).*(reset|Broken pipe|closed).*");
            }
        }

        // then
        Path source = TestFile.random(testbed.file("unharmed"), 2, 5 * TestFile.MIB);
        network.publisher("publisher", source, TOPIC, "--wait", "1").start().expectExit(0);
        Delivery.assertSame(subscriber, source, "unharmed");
        int lines = network.broker().child().errors().size() - before;
        assertThat(lines).as("lines that the broker logged about it").isBetween(1, 6);
    }

    private static void assertOneLine(Child child, String... parts) {
        List<String> lines = child.messages();
        assertThat(lines).as(child.label() + ": lines on standard error").hasSize(1);
        assertThat(lines.get(0)).contains(parts).doesNotContain("Exception");
    }
}
