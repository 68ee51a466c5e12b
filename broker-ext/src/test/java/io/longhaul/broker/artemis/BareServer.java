package io.longhaul.broker.artemis;

import java.nio.file.Path;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.impl.ServiceRegistryImpl;

/** A server that keeps what it is given, and nobody connects to. */
final class BareServer {
    private BareServer() {}

    /** Returns how one keeps everything in a directory. */
    static ConfigurationImpl in(Path data) {
        return new ConfigurationImpl()
                .setSecurityEnabled(false)
                .setJournalType(JournalType.NIO)
                .setJournalDirectory(data.resolve("journal").toString())
                .setBindingsDirectory(data.resolve("bindings").toString())
                .setPagingDirectory(data.resolve("paging").toString())
                .setLargeMessagesDirectory(data.resolve("large").toString());
    }

    static ActiveMQServer start(Configuration configuration) throws Exception {
        ActiveMQServer server = new ForcedServer(configuration, null, new ServiceRegistryImpl());
        server.start();
        return server;
    }
}
