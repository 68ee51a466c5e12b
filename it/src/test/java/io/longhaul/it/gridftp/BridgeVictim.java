package io.longhaul.it.gridftp;

import java.util.Locale;

/** Who is killed between a client and a server. */
enum BridgeVictim {
    FRONT,
    NEAR_BROKER,
    FAR_BROKER,
    BACK,
    SERVER;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
