package io.longhaul.gridftp.transfer;

/** How far a delivery is. */
enum DeliveryState {
    /** Nobody wants it. */
    IDLE,
    /** It is pulled, and goes to its destination. */
    ACTIVE,
    /** Done; the outcome is noted, or about to be. */
    ENDED
}
