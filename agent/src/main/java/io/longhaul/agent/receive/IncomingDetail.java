package io.longhaul.agent.receive;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.longhaul.storage.StorageException;
import io.longhaul.wire.Receipt;
import org.jspecify.annotations.Nullable;

/**
 * What a receiver keeps of a transfer in {@link io.longhaul.storage.TransferRow#detail()}, as JSON.
 *
 * @param into the subscription's directory, absolute
 * @param counters what came twice or by repair
 * @param seconds how long each phase took
 * @param identity the file or directory that was put in place; null before
 * @param outcome what became of it; null before its end
 * @param receiptDue whether a receipt of a transfer given up has still to be sent
 * @param reason why it was given up; empty otherwise
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record IncomingDetail(
        String into,
        Counters counters,
        Seconds seconds,
        @Nullable FileIdentity identity,
        Receipt.@Nullable Outcome outcome,
        boolean receiptDue,
        String reason) {
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /** What came more than once, and what came by repair. */
    record Counters(long duplicatePieces, long duplicateBytes, long repairedBytes) {
        static final Counters NONE = new Counters(0, 0, 0);
    }

    /** Seconds per phase: from first sight to the last piece, verification, placing. */
    record Seconds(double receive, double verify, double place) {
        static final Seconds NONE = new Seconds(0, 0, 0);

        double total() {
            return receive + verify + place;
        }
    }

    static IncomingDetail of(String into) {
        return new IncomingDetail(into, Counters.NONE, Seconds.NONE, null, null, false, "");
    }

    static IncomingDetail parse(String json) {
        try {
            return JSON.readValue(json, IncomingDetail.class);
        } catch (JsonProcessingException e) {
            throw new StorageException(
                    StorageException.Code.DAMAGED,
                    "detail of an incoming transfer: expected JSON, found " + e.getOriginalMessage(),
                    e);
        }
    }

    String toJson() {
        try {
            return JSON.writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("detail cannot be written: " + this, e);
        }
    }

    IncomingDetail withInto(String newInto) {
        return new IncomingDetail(newInto, counters, seconds, identity, outcome, receiptDue, reason);
    }

    IncomingDetail withCounters(Counters newCounters) {
        return new IncomingDetail(into, newCounters, seconds, identity, outcome, receiptDue, reason);
    }

    IncomingDetail withSeconds(Seconds newSeconds) {
        return new IncomingDetail(into, counters, newSeconds, identity, outcome, receiptDue, reason);
    }

    IncomingDetail withIdentity(@Nullable FileIdentity newIdentity) {
        return new IncomingDetail(into, counters, seconds, newIdentity, outcome, receiptDue, reason);
    }

    IncomingDetail withOutcome(Receipt.Outcome newOutcome, String newReason) {
        return new IncomingDetail(
                into, counters, seconds, identity, newOutcome, newOutcome == Receipt.Outcome.FAILED, newReason);
    }

    IncomingDetail receipted() {
        return new IncomingDetail(into, counters, seconds, identity, outcome, false, reason);
    }
}
