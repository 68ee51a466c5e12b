package io.longhaul.broker;

import io.longhaul.wire.TopicAnswer;
import io.longhaul.wire.TopicQuery;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Has brokers for each test, in a directory of its own, which end with it. */
abstract class OneNetwork {
    @TempDir
    Path directory;

    Brokers brokers;

    @BeforeEach
    void open() {
        brokers = new Brokers(directory);
    }

    @AfterEach
    void close() throws Exception {
        brokers.close();
    }

    TopicAnswer topic(Broker broker, String topic) throws Exception {
        return brokers.connect(broker, "").ask(new TopicQuery(topic, Client.ANSWER), TopicAnswer.class);
    }
}
