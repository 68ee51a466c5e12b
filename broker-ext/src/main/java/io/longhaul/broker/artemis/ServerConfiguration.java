package io.longhaul.broker.artemis;

import io.longhaul.ptcp.artemis.PtcpAcceptorFactory;
import io.longhaul.wire.Addresses;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.io.aio.AIOSequentialFileFactory;
import org.apache.activemq.artemis.core.remoting.impl.netty.TransportConstants;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.core.settings.impl.SlowConsumerPolicy;

/**
 * The server's configuration: durable pieces of 4 KiB..4 MiB in the journal, pages only for a backlog.
 *
 * <h2>Design note</h2>
 * Journal files are made and zero-filled before the first message, as many as the memory limit of an address allows
 * messages to be outstanding, and are reused for ever: a journal that grows while it is live writes everything twice.
 * What exceeds the memory limit goes to page files, which are append-only and never zero-filled. The duplicate-id cache
 * lives in memory only: each persisted id would pin the journal file that it lies in, and with it pieces long
 * gone, until 20,000 more ids pushed it out; compaction would then copy the journal over and over. After a restart the
 * publishers' windows may therefore arrive twice, which receivers count and drop.
 *
 * <p>A broker that only forwards writes no messages and never pages: what is in it is bounded by its neighbours' windows.
 */
final class ServerConfiguration {
    private static final String LARGE = "large";
    private static final int TTL_MILLIS = 15_000;
    private static final int RIGHTS_MILLIS = 1000;
    private static final int PARKED_PAGE_BYTES = 1024 * 1024;
    private static final long PARCEL_BYTES = 128L * 1024 * 1024;
    private static final int ID_CACHE = 20_000;
    private static final int SCHEDULED_THREADS = 4;
    private static final int WORKER_THREADS = 32;

    /**
     * Acceptor parameter: with users, the server takes frames of 128 KiB unless told, and leaves a connection with a
     * longer one unanswered.
     */
    private static final String MAX_FRAME = "coreMaxFrameSize";

    /** Named only because Artemis warns at every queue without one: nothing here dies or expires. */
    private static final SimpleString NOWHERE = SimpleString.of(Addresses.PREFIX + "nowhere");

    private ServerConfiguration() {}

    static Configuration of(ServerSettings settings, Optional<Pair> pair) throws Exception {
        Path data = settings.data();
        Configuration configuration = new ConfigurationImpl()
                .setName(settings.name())
                .setPersistenceEnabled(true)
                .setJournalDirectory(journal(settings).toString())
                .setBindingsDirectory(bindings(settings).toString())
                .setPagingDirectory(paging(settings).toString())
                .setLargeMessagesDirectory(data.resolve(LARGE).toString())
                .setNodeManagerLockDirectory(data.resolve("node").toString())
                .setSecurityEnabled(settings.users().isPresent())
                .setSecurityInvalidationInterval(RIGHTS_MILLIS)
                // a name is a name: * and # of an address would reach beyond what rights on topics say
                .setWildcardRoutingEnabled(false)
                .setJMXManagementEnabled(false)
                .setMessageCounterEnabled(false)
                .setThreadPoolMaxSize(WORKER_THREADS)
                .setScheduledThreadPoolMaxSize(SCHEDULED_THREADS)
                .setConnectionTTLOverride(TTL_MILLIS)
                .setConnectionTtlCheckInterval(TTL_MILLIS / 8)
                .setMessageExpiryScanPeriod(-1)
                .setAddressQueueScanPeriod(-1)
                .setIDCacheSize(ID_CACHE)
                .setPersistIDCache(false)
                .setMaxDiskUsage(-1)
                .setMemoryMeasureInterval(-1)
                .setGlobalMaxSize(
                        settings.forwardOnly() ? -1 : settings.memory().globalBytes());
        journal(configuration, settings);
        AddressSettings all = addressSettings(settings.memory());
        configuration.addAddressSetting("#", settings.forwardOnly() ? all.setMaxSizeBytes(-1) : all);
        configuration.addAddressSetting(
                ParkedFrames.PREFIX + "#",
                addressSettings(settings.memory())
                        .setMaxSizeBytes(PARKED_PAGE_BYTES)
                        .setPageSizeBytes(PARKED_PAGE_BYTES)
                        .setMaxReadPageBytes(PARKED_PAGE_BYTES)
                        .setPrefetchPageBytes(PARKED_PAGE_BYTES / 2));
        for (String prefix : List.of(Addresses.ENDPOINT_PREFIX, Addresses.POST_PREFIX)) {
            AddressSettings parcels = parcelSettings(settings.memory());
            // a relay waits for what it has routed: what is dropped would hold its link up for ever
            configuration.addAddressSetting(
                    prefix + "#", settings.forwardOnly() ? parcels.setMaxSizeBytes(-1) : parcels);
        }
        int number = 0;
        for (ServerSettings.Listening listening : settings.acceptors()) {
            TransportConfiguration acceptor = acceptor(acceptorName(number++), listening);
            if (pair.isPresent() && !listening.core()) {
                acceptor.getParams().put(TransportConstants.CLUSTER_CONNECTION, PairConfiguration.CLUSTER);
            }
            configuration.addAcceptorConfiguration(acceptor);
        }
        pair.ifPresent(one -> PairConfiguration.apply(configuration, settings, one));
        return configuration;
    }

    private static void journal(Configuration configuration, ServerSettings settings) {
        boolean asynchronous = settings.asynchronousJournal() && AIOSequentialFileFactory.isSupported();
        configuration
                .setJournalType(asynchronous ? JournalType.ASYNCIO : JournalType.NIO)
                .setJournalDatasync(true)
                .setJournalSyncNonTransactional(true)
                .setJournalSyncTransactional(true)
                .setJournalBufferSize_NIO(settings.journalBufferBytes())
                .setJournalBufferSize_AIO(settings.journalBufferBytes())
                .setJournalFileSize(settings.journalFileBytes())
                .setJournalMinFiles(settings.journalFiles())
                .setJournalPoolFiles(settings.journalFiles())
                .setJournalCompactMinFiles(2 * settings.journalFiles())
                .setJournalCompactPercentage(30);
    }

    private static AddressSettings addressSettings(ServerSettings.Memory memory) {
        return new AddressSettings()
                .setAddressFullMessagePolicy(AddressFullMessagePolicy.PAGE)
                .setMaxSizeBytes(memory.addressBytes())
                .setPageSizeBytes(memory.pageBytes())
                .setMaxReadPageBytes(memory.readAheadBytes())
                .setPrefetchPageBytes(memory.readAheadBytes() / 2)
                .setMaxReadPageMessages(-1)
                .setPrefetchPageMessages(-1)
                .setMaxDeliveryAttempts(-1)
                .setDeadLetterAddress(NOWHERE)
                .setExpiryAddress(NOWHERE)
                .setRedeliveryDelay(0)
                .setAutoCreateQueues(false)
                .setAutoDeleteQueues(false)
                .setAutoCreateAddresses(true)
                .setAutoDeleteAddresses(false)
                .setAutoCreateDeadLetterResources(false)
                .setAutoCreateExpiryResources(false)
                .setNoExpiry(true)
                .setIDCacheSize(ID_CACHE)
                .setDefaultAddressRoutingType(RoutingType.MULTICAST)
                .setDefaultQueueRoutingType(RoutingType.MULTICAST)
                .setSlowConsumerPolicy(SlowConsumerPolicy.NOTIFY)
                .setSlowConsumerThreshold(-1)
                .setEnableMetrics(false);
    }

    /** Parcels stay in memory, and what is too much is dropped: a sender must not wait for one endpoint that takes nothing. */
    private static AddressSettings parcelSettings(ServerSettings.Memory memory) {
        return addressSettings(memory)
                .setAddressFullMessagePolicy(AddressFullMessagePolicy.DROP)
                .setMaxSizeBytes(Math.min(memory.addressBytes(), PARCEL_BYTES));
    }

    /** Sockets are the guarded acceptor's own; the stock one, which it extends, is told to open none. */
    private static TransportConfiguration acceptor(String name, ServerSettings.Listening listening) {
        HostPort address = listening.address();
        Map<String, Object> parameters = new HashMap<>();
        parameters.put(TransportConstants.HOST_PROP_NAME, address.host());
        parameters.put(TransportConstants.PORT_PROP_NAME, address.port());
        if (!listening.core()) {
            return new TransportConfiguration(PtcpAcceptorFactory.class.getName(), parameters, name);
        }
        parameters.put(TransportConstants.PROTOCOLS_PROP_NAME, "CORE");
        parameters.put(TransportConstants.HTTP_UPGRADE_ENABLED_PROP_NAME, true);
        parameters.put(TransportConstants.REMOTING_THREADS_PROPNAME, 1);
        parameters.put(TransportConstants.HANDSHAKE_TIMEOUT, 0);
        parameters.put(MAX_FRAME, FirstFrames.MOST_BYTES);
        return new TransportConfiguration(GuardedNettyAcceptor.class.getName(), parameters, name);
    }

    /** Returns the directories that the server would make itself, but whose names it would not force to disk. */
    static List<Path> directories(ServerSettings settings) {
        Path data = settings.data();
        return List.of(journal(settings), paging(settings), bindings(settings), data.resolve(LARGE));
    }

    static Path journal(ServerSettings settings) {
        return settings.data().resolve("journal");
    }

    static Path bindings(ServerSettings settings) {
        return settings.data().resolve("bindings");
    }

    static Path paging(ServerSettings settings) {
        return settings.data().resolve("paging");
    }

    static String acceptorName(int number) {
        return "acceptor-" + number;
    }
}
