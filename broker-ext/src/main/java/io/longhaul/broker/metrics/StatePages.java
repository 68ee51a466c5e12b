package io.longhaul.broker.metrics;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.longhaul.broker.BrokerConfig;
import io.longhaul.broker.BrokerRole;
import io.longhaul.broker.BrokerSnapshot;
import io.longhaul.broker.http.Page;
import io.longhaul.wire.BrokerReport.FailingLink;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** Health and readiness of a broker: status 200 or 503, and one line of JSON that says why. */
final class StatePages {
    private static final String JSON = "application/json; charset=utf-8";
    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;

    private final String name;
    private final Path data;
    private final boolean witnessed;

    StatePages(BrokerConfig broker) {
        this.name = broker.name();
        this.data = broker.data().toAbsolutePath().normalize();
        this.witnessed = broker.pair().flatMap(BrokerConfig.Pairing::witness).isPresent();
    }

    /** Whether the process should be left as it is: one that is neither healthy nor starting should be started again. */
    Page health(Phase phase) {
        return phase == Phase.RUNNING ? page(OK, state("running")) : unavailable(phase);
    }

    /** Whether frames are taken now. */
    Page ready(Phase phase, Optional<BrokerSnapshot> snapshot) {
        return snapshot.map(this::ready).orElseGet(() -> unavailable(phase));
    }

    private Page ready(BrokerSnapshot seen) {
        if (!seen.role().isLive()) {
            return page(UNAVAILABLE, state(word(seen.role())).put("reason", lifeless(seen.role())));
        }
        if (!seen.paused()) {
            ObjectNode ready = state("ready");
            if (seen.role() != BrokerRole.SINGLE) {
                ready.put("pair", word(seen.role()));
            }
            for (FailingLink link : seen.failing()) {
                ready.withArray("failingLinks")
                        .addObject()
                        .put("to", link.to())
                        .put("kind", link.kind())
                        .put("reason", link.reason());
            }
            return page(OK, ready);
        }
        return page(
                UNAVAILABLE,
                state("paused")
                        .put("reason", shortage(seen))
                        .put("path", data.toString())
                        .put("needed", seen.floorBytes())
                        .put("free", seen.freeBytes()));
    }

    /** Returns why one of a pair does not live. */
    private String lifeless(BrokerRole role) {
        String takeOver = witnessed
                ? "it takes over when the witness agrees"
                : "it takes over on the operator's word only (--take-over), as there is no witness";
        return switch (role) {
            case STARTING -> "it is not decided which one of its pair lives, or it loads what is in " + data;
            case BACKUP -> "it is the backup of its pair, in sync; " + takeOver;
            case COPYING ->
                "it is the backup of its pair, not in sync: it gets its copy, or finds nobody to copy from"
                        + (witnessed ? "" : "; " + takeOver);
            case OVER -> "it has stopped living";
            case SINGLE, PRIMARY, ALONE -> throw new IllegalArgumentException(role + " lives");
        };
    }

    private String shortage(BrokerSnapshot seen) {
        return seen.freeBytes() >= seen.floorBytes()
                ? "disk of " + data + ": too few inodes free (df -i)"
                : "disk of " + data + ": needed " + seen.floorBytes() + " bytes free, found " + seen.freeBytes();
    }

    private static String word(BrokerRole role) {
        return role.name().toLowerCase(Locale.ROOT);
    }

    private Page unavailable(Phase phase) {
        return switch (phase) {
            case STARTING -> page(UNAVAILABLE, state("starting").put("reason", "it loads what is in " + data));
            case STOPPING -> page(UNAVAILABLE, state("stopping").put("reason", "it was asked to end"));
            case FAILED ->
                page(
                        UNAVAILABLE,
                        state("failed").put("reason", "it stopped by itself: its disk failed, data in " + data));
            case RUNNING -> throw new IllegalArgumentException("a running broker is available");
        };
    }

    private ObjectNode state(String state) {
        return JsonNodeFactory.instance.objectNode().put("broker", name).put("state", state);
    }

    private static Page page(int status, ObjectNode state) {
        return new Page(status, JSON, state + "\n");
    }
}
