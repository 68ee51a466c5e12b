package io.longhaul.it.bench.floor;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptorFactory;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;

/** An Artemis broker with the journal that Longhaul's has, and nothing of Longhaul. Arguments: port, directory. */
public final class FloorBroker {
    private static final int MIB = 1024 * 1024;
    private static final int JOURNAL_FILES = 20;

    private FloorBroker() {}

    public static void main(String[] arguments) throws Exception {
        start(Integer.parseInt(arguments[0]), Path.of(arguments[1]));
        FloorLink.say("ready", "broker");
        new CountDownLatch(1).await();
    }

    /** Starts one in this process. */
    public static void start(int port, Path data) throws Exception {
        Configuration configuration = new ConfigurationImpl()
                .setPersistenceEnabled(true)
                .setSecurityEnabled(false)
                .setJMXManagementEnabled(false)
                .setJournalDirectory(data.resolve("journal").toString())
                .setBindingsDirectory(data.resolve("bindings").toString())
                .setPagingDirectory(data.resolve("paging").toString())
                .setLargeMessagesDirectory(data.resolve("large").toString())
                .setJournalType(JournalType.NIO)
                .setJournalDatasync(true)
                .setJournalBufferSize_NIO(8 * MIB)
                .setJournalFileSize(32 * MIB)
                .setJournalMinFiles(JOURNAL_FILES)
                .setJournalPoolFiles(JOURNAL_FILES)
                .setJournalCompactMinFiles(2 * JOURNAL_FILES)
                .setMaxDiskUsage(-1)
                .addAcceptorConfiguration(FloorLink.transport(NettyAcceptorFactory.class.getName(), port));
        EmbeddedActiveMQ broker = new EmbeddedActiveMQ().setConfiguration(configuration);
        broker.start();
        broker.getActiveMQServer()
                .createQueue(QueueConfiguration.of(FloorLink.QUEUE)
                        .setAddress(FloorLink.ADDRESS)
                        .setRoutingType(RoutingType.MULTICAST)
                        .setDurable(true));
    }
}
