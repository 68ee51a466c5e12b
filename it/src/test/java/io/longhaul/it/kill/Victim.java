package io.longhaul.it.kill;

import java.util.Locale;

/** Who is killed. */
enum Victim {
    PUBLISHER,
    BROKER,
    SUBSCRIBER_1,
    SUBSCRIBER_2,
    SUBSCRIBER_3;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
