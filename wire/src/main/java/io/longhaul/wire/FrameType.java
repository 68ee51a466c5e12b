package io.longhaul.wire;

/** The kinds of frames; the wire name is the value of the message property {@link FrameCodec#TYPE}. */
public enum FrameType {
    MANIFEST("manifest"),
    PIECE("piece"),
    SEAL("seal"),
    CANCEL("cancel"),
    RECEIPT("receipt"),
    LEASE_REQUEST("lease-request"),
    LEASE_GRANT("lease-grant"),
    REPAIR_QUERY("repair-query"),
    REPAIR_OFFER("repair-offer"),
    REPAIR_REQUEST("repair-request"),
    REPAIR_REFUSAL("repair-refusal"),
    TOPIC_QUERY("topic-query"),
    TOPIC_ANSWER("topic-answer"),
    NETWORK_QUERY("network-query"),
    NETWORK_ANSWER("network-answer"),
    BROKER_REPORT("broker-report"),
    RETAINED_QUERY("retained-query"),
    RETAINED_ANSWER("retained-answer"),
    REMOVAL_REQUEST("removal-request"),
    REMOVAL_ANSWER("removal-answer"),
    PARCEL("parcel");

    private final String wireName;

    FrameType(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }
}
