package io.longhaul.gridftp.session;

import io.longhaul.gridftp.Accounts;
import io.longhaul.gridftp.FrontConfig;
import io.longhaul.gridftp.data.ArrivingBytes;
import io.longhaul.gridftp.spi.Backends;
import java.time.Clock;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What all sessions are given of the world.
 *
 * @param world clocks, chance and threads that may wait
 */
public record SessionContext(
        FrontConfig config, Accounts accounts, Backends backends, Verbs verbs, Sessions sessions, World world) {

    /**
     * What is not the front's own.
     *
     * @param workers for password checks
     * @param random must be one that nobody can predict
     * @param arriving how much may be on its way to disks
     */
    public record World(
            Clock clock, LongSupplier nanoTime, RandomGenerator random, Executor workers, ArrivingBytes arriving) {}
}
