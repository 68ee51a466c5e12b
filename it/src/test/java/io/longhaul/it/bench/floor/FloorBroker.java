package io.longhaul.it.bench.floor;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptorFactory;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;

/**
 * An Artemis broker with the journal and the pages that Longhaul's has with the same heap, and nothing of Longhaul.
 * Arguments: port, directory.
 */
public final class FloorBroker {
    private static final int MIB = 1024 * 1024;
    private static final int JOURNAL_FILES = 14;

    private FloorBroker() {}

    public static void main(String[] arguments) throws Exception {
        start(Integer.parseInt(arguments[0]), Path.of(arguments[1]));
        FloorLink.say("ready", "broker");
        new CountDownLatch(1).await();
    }

    /** Starts one in this process. */
    public static ActiveMQServer start(int port, Path data) throws Exception {
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
                .addAddressSetting(FloorLink.ADDRESS, pages())
                .addAcceptorConfiguration(FloorLink.transport(NettyAcceptorFactory.class.getName(), port));
        EmbeddedActiveMQ broker = new EmbeddedActiveMQ().setConfiguration(configuration);
        broker.start();
        return broker.getActiveMQServer();
    }

    private static AddressSettings pages() {
        return new AddressSettings()
                .setMaxSizeBytes(256L * MIB)
                .setPageSizeBytes(32 * MIB)
                .setMaxReadPageBytes(64 * MIB)
                .setPrefetchPageBytes(32 * MIB)
                .setMaxReadPageMessages(-1)
                .setPrefetchPageMessages(-1);
    }
}
