package io.longhaul.wire;

/** A message of the Longhaul protocol; each kind is one record. */
public sealed interface Frame
        permits Manifest,
                Piece,
                Seal,
                Cancel,
                Receipt,
                LeaseRequest,
                LeaseGrant,
                RepairQuery,
                RepairOffer,
                RepairRequest,
                RepairRefusal,
                TopicQuery,
                TopicAnswer,
                NetworkQuery,
                NetworkAnswer,
                BrokerReport,
                RetainedQuery,
                RetainedAnswer,
                RemovalRequest,
                RemovalAnswer,
                Parcel {

    FrameType type();
}
