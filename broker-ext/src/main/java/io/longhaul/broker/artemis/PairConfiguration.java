package io.longhaul.broker.artemis;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.core.config.ClusterConnectionConfiguration;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.HAPolicyConfiguration;
import org.apache.activemq.artemis.core.config.ha.DistributedLockManagerConfiguration;
import org.apache.activemq.artemis.core.config.ha.ReplicationBackupPolicyConfiguration;
import org.apache.activemq.artemis.core.config.ha.ReplicationPrimaryPolicyConfiguration;
import org.apache.activemq.artemis.core.server.cluster.impl.MessageLoadBalancingType;

/** What the server's configuration says when it is one of a pair. */
final class PairConfiguration {
    /** Name of the cluster connection, which acceptors must name. */
    static final String CLUSTER = "pair";

    private static final String SELF = "self";
    private static final String PARTNER = "partner";
    private static final long RETRY_MILLIS = 200;
    private static final long TTL_MILLIS = 5000;
    private static final long CALL_MILLIS = 5000;

    /** How long the last step of the first copy may take: nothing is taken meanwhile. */
    private static final long SYNC_MILLIS = 60_000;

    private PairConfiguration() {}

    static void apply(Configuration configuration, ServerSettings settings, Pair pair) {
        ServerSettings.Listening first = settings.acceptors().get(0);
        configuration
                .addConnectorConfiguration(SELF, connector(SELF, pair, first.address()))
                .addConnectorConfiguration(
                        PARTNER,
                        connector(
                                PARTNER,
                                pair,
                                new HostPort(
                                        pair.partner().host(), pair.partner().port())))
                .setClusterUser(pair.secret().user())
                .setClusterPassword(pair.secret().password())
                // what each client says: the brokers of a pair miss each other sooner than agents do
                .setConnectionTTLOverride(-1)
                .setConnectionTtlCheckInterval(TTL_MILLIS / 5)
                .setHAPolicyConfiguration(policy(pair))
                .addClusterConfiguration(new ClusterConnectionConfiguration()
                        .setName(CLUSTER)
                        .setConnectorName(SELF)
                        .setStaticConnectors(List.of(PARTNER))
                        .setMessageLoadBalancingType(MessageLoadBalancingType.OFF)
                        .setRetryInterval(RETRY_MILLIS)
                        .setRetryIntervalMultiplier(1)
                        .setReconnectAttempts(-1)
                        .setInitialConnectAttempts(-1)
                        .setCallTimeout(CALL_MILLIS)
                        .setConnectionTTL(TTL_MILLIS)
                        .setClientFailureCheckPeriod(TTL_MILLIS / 2));
    }

    private static TransportConfiguration connector(String name, Pair pair, HostPort place) {
        Map<String, Object> parameters = new HashMap<>();
        parameters.put("host", place.host());
        parameters.put("port", place.port());
        // sent to the partner, too
        parameters.put(PairConnectorFactory.PAIR, pair.name());
        return new TransportConfiguration(PairConnectorFactory.class.getName(), parameters, name);
    }

    private static HAPolicyConfiguration policy(Pair pair) {
        DistributedLockManagerConfiguration locks = new DistributedLockManagerConfiguration(
                PairLocks.class.getName(), Map.of(PairConnectorFactory.PAIR, pair.id()));
        if (pair.isBackup()) {
            return ReplicationBackupPolicyConfiguration.withDefault()
                    .setClusterName(CLUSTER)
                    .setMaxSavedReplicatedJournalsSize(saved(pair))
                    .setInitialReplicationSyncTimeout(SYNC_MILLIS)
                    .setRetryReplicationWait(RETRY_MILLIS)
                    .setAllowFailBack(false)
                    .setDistributedManagerConfiguration(locks);
        }
        ReplicationPrimaryPolicyConfiguration primary = ReplicationPrimaryPolicyConfiguration.withDefault()
                .setClusterName(CLUSTER)
                .setMaxSavedReplicatedJournalsSize(saved(pair))
                .setInitialReplicationSyncTimeout(SYNC_MILLIS)
                .setDistributedManagerConfiguration(locks);
        primary.setRetryReplicationWait(RETRY_MILLIS);
        return primary;
    }

    /** What an operator overruled may be worth keeping; what a witness decided against was acknowledged to nobody. */
    private static int saved(Pair pair) {
        return pair.isWitnessed() ? 0 : 1;
    }
}
