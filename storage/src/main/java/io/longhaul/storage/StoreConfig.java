package io.longhaul.storage;

/**
 * The knobs of a {@link Store}.
 *
 * @param slotBytes largest piece body that the spool takes, default 1 MiB
 * @param segmentBytes length of a spool file, default 256 MiB
 * @param quotaBytes most bytes of spool, default unlimited ({@link Long#MAX_VALUE})
 * @param floorBytes free space that is never used up on the store's file system, default 64 MiB
 */
public record StoreConfig(int slotBytes, long segmentBytes, long quotaBytes, long floorBytes) {
    private static final int MIB = 1024 * 1024;

    /** Returns the defaults. */
    public static StoreConfig defaults() {
        return new StoreConfig(MIB, 256L * MIB, Long.MAX_VALUE, 64L * MIB);
    }
}
